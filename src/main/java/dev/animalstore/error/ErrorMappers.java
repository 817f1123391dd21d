package dev.animalstore.error;

import static jakarta.ws.rs.core.HttpHeaders.ALLOW;
import static jakarta.ws.rs.core.HttpHeaders.RETRY_AFTER;

import dev.animalstore.database.DatabaseBreaker;
import dev.animalstore.database.DatabaseOutage;
import dev.animalstore.database.DatabaseUnavailableException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;

/** Turns every exception that leaves a resource, a filter or the framework into the one error body. */
final class ErrorMappers {
    private static final Logger LOG = Logger.getLogger(ErrorMappers.class);

    /** Long enough for a fail-over of the database to be noticed, short enough for a client to come back by itself. */
    private static final int RETRY_AFTER_SECONDS = 2;

    private final DatabaseBreaker database;

    ErrorMappers(DatabaseBreaker database) {
        this.database = database;
    }

    @ServerExceptionMapper
    Response refused(ApiException exception) {
        Response.ResponseBuilder response = exception.response();
        if (exception.code() == ErrorCode.SERVICE_UNAVAILABLE) {
            response.header(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response.build();
    }

    // NotFoundException is named as well, since Quarkus has a page of its own for it while developing.
    @ServerExceptionMapper({WebApplicationException.class, NotFoundException.class})
    Response unmatched(WebApplicationException exception) {
        return switch (exception.getResponse().getStatus()) {
            case 404 ->
                new ApiError(ErrorCode.NOT_FOUND, "There is nothing at this path.")
                        .response()
                        .build();
            case 405 -> {
                String allowed = AllowedMethods.of(CurrentRequestManager.get());
                yield new ApiError(ErrorCode.METHOD_NOT_ALLOWED, "This path takes " + allowed + ".")
                        .response()
                        .header(ALLOW, allowed)
                        .build();
            }
            case 406 ->
                new ApiError(ErrorCode.NOT_ACCEPTABLE, "Answers are application/json; the Accept header excludes it.")
                        .response()
                        .build();
            case 415 ->
                new ApiError(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.")
                        .response()
                        .build();
            default -> failed(exception);
        };
    }

    @ServerExceptionMapper(DatabaseUnavailableException.class)
    Response unavailable() {
        return new ApiError(ErrorCode.SERVICE_UNAVAILABLE, "The service cannot do this at the moment. Try again later.")
                .response()
                .header(RETRY_AFTER, RETRY_AFTER_SECONDS)
                .build();
    }

    @ServerExceptionMapper
    Response failed(Throwable failure) {
        if (DatabaseOutage.caused(failure)) {
            LOG.warnf("The database cannot serve: %s", DatabaseOutage.describe(failure));
            database.recordFailure(failure);
            return unavailable();
        }
        if (isOfAClientThatIsGone(failure)) {
            return Response.serverError().build();
        }
        String reference = UUID.randomUUID().toString();
        LOG.errorf(failure, "Defect %s", reference);
        return new ApiError(ErrorCode.INTERNAL_ERROR, "Something went wrong here. Reference: " + reference)
                .response()
                .build();
    }

    /** Whether a response could not be written because its client has closed the connection. No other one can be sent. */
    private static boolean isOfAClientThatIsGone(Throwable failure) {
        return failure instanceof IOException
                && CurrentRequestManager.get().serverResponse().closed();
    }
}
