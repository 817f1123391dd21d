package dev.animalstore.web.error;

import static jakarta.ws.rs.core.HttpHeaders.ACCEPT;
import static jakarta.ws.rs.core.HttpHeaders.ALLOW;
import static jakarta.ws.rs.core.HttpHeaders.RETRY_AFTER;

import dev.animalstore.outage.DatabaseBreaker;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;

/** Maps every exception of a resource, a filter or the framework to an {@link ApiError}. */
final class ErrorMappers {
    private static final Logger LOG = Logger.getLogger(ErrorMappers.class);

    /** Long enough to detect a failover of the database, short enough for clients to retry without help. */
    private static final int RETRY_AFTER_SECONDS = 2;

    private final DatabaseBreaker database;

    ErrorMappers(DatabaseBreaker database) {
        this.database = database;
    }

    @ServerExceptionMapper
    Response refused(ApiException exception) {
        return response(exception.code(), exception.getMessage()).build();
    }

    // NotFoundException is named too, because Quarkus has its own page for it in dev mode.
    @ServerExceptionMapper({WebApplicationException.class, NotFoundException.class})
    Response frameworkError(WebApplicationException exception) {
        // Jakarta REST wraps what the conversion of a parameter throws.
        if (exception.getCause() instanceof ApiException refusal) {
            return refused(refusal);
        }
        return switch (exception.getResponse().getStatus()) {
            case 400 ->
                response(ErrorCode.BAD_REQUEST, "A header or parameter is malformed.")
                        .build();
            case 404 -> response(ErrorCode.NOT_FOUND, "No such path.").build();
            case 405 -> {
                String allowed = AllowedMethods.of(CurrentRequestManager.get());
                yield response(ErrorCode.METHOD_NOT_ALLOWED, "This path supports " + allowed + ".")
                        .header(ALLOW, allowed)
                        .build();
            }
            case 415 ->
                response(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.")
                        .header(ACCEPT, MediaType.APPLICATION_JSON)
                        .build();
            default -> failed(exception);
        };
    }

    @ServerExceptionMapper
    Response failed(Throwable failure) {
        if (database.isOutage(failure)) {
            database.record(failure);
            return refused(ApiException.unavailable());
        }
        if (failure instanceof IOException
                && CurrentRequestManager.get().serverResponse().closed()) {
            // The client has closed the connection, so no response can be sent.
            return Response.serverError().build();
        }
        String reference = UUID.randomUUID().toString();
        LOG.errorf(failure, "Defect %s", reference);
        return response(ErrorCode.INTERNAL_ERROR, "An internal error occurred. Reference: " + reference)
                .build();
    }

    private static Response.ResponseBuilder response(ErrorCode code, String message) {
        Response.ResponseBuilder response = Response.status(code.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(new ApiError(code, message));
        return code == ErrorCode.SERVICE_UNAVAILABLE ? response.header(RETRY_AFTER, RETRY_AFTER_SECONDS) : response;
    }
}
