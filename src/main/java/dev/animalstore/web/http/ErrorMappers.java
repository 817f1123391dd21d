package dev.animalstore.web.http;

import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.QueryParameters;
import dev.animalstore.web.error.ApiError;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.error.Reasons;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.agroal.DataSource;
import io.quarkus.arc.ArcUndeclaredThrowableException;
import io.quarkus.hibernate.validator.runtime.jaxrs.ResteasyReactiveViolationException;
import io.vertx.ext.web.RoutingContext;
import jakarta.transaction.RollbackException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import jakarta.validation.ValidationException;
import jakarta.validation.ValidatorFactory;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.IOException;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;
import org.jboss.resteasy.reactive.ResteasyReactiveClientProblem;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.ParameterHandler;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveExceptionMapper;

/**
 * Maps every exception of a resource, a filter or the framework to an {@link ApiError}. Outside of the {@link Area}s of the engine only an
 * {@link ApiException} is mapped. A mapper of others for the same class comes first.
 */
public final class ErrorMappers {
    /** Long enough to detect a failover of the database, short enough for clients to retry without help. */
    private static final int RETRY_AFTER_SECONDS = 2;

    /** The statuses of requests that match no operation. What Quarkus REST says of them is not for clients. */
    private static final Set<Integer> ROUTING = Set.of(404, 405, 406, 415);

    private static final int LAST = Priorities.USER + 1;

    private static final String MISSING_TABLE = "42P01";

    /** NUL, which reaches PostgreSQL in a path or a form. */
    private static final String NOT_STORABLE = "22021";

    private final DatabaseBreaker ofService;
    private final DatabaseBreaker ofKeys;
    private final Reasons reasonsOf;

    ErrorMappers(
            DatabaseBreaker ofService, @DataSource("metering") DatabaseBreaker ofKeys, ValidatorFactory validation) {
        this.ofService = ofService;
        this.ofKeys = ofKeys;
        reasonsOf = new Reasons(validation);
    }

    @ServerExceptionMapper(priority = LAST)
    public Response refused(ApiException exception) {
        return response(Response.ok().build(), new ApiError(exception.code(), exception.getMessage()));
    }

    // NotFoundException is named too, because Quarkus has its own page for it in dev mode.
    @ServerExceptionMapper(
            value = {WebApplicationException.class, NotFoundException.class},
            priority = LAST)
    public Response refused(WebApplicationException exception) throws Throwable {
        if (exception instanceof ResteasyReactiveClientProblem) {
            // Another service has failed, of which a client learns nothing.
            return failed((Throwable) exception);
        }
        if (Area.isOutside(exchange())) {
            return exception.getResponse();
        }
        // Jakarta REST wraps what the conversion of a parameter throws.
        if (exception.getCause() instanceof ApiException refusal) {
            return refused(refusal);
        }
        Response thrown = exception.getResponse();
        int status = thrown.getStatus();
        if (status < StatusCode.BAD_REQUEST) {
            return thrown;
        }
        if (status >= StatusCode.INTERNAL_SERVER_ERROR) {
            return failed(exception, thrown);
        }
        String message = exception.getMessage();
        boolean isOfRouting =
                ROUTING.contains(status) && CurrentRequestManager.get().getTarget() == null;
        if (message != null && !isOfRouting && !message.startsWith("HTTP " + status)) {
            return response(thrown, new ApiError(code(status), message, status));
        }
        return switch (status) {
            case StatusCode.BAD_REQUEST ->
                refused(new ApiException(ErrorCode.BAD_REQUEST, "A header or parameter is malformed."));
            case StatusCode.NOT_FOUND -> notFound(exception);
            case StatusCode.METHOD_NOT_ALLOWED -> {
                String allowed = AllowedMethods.of(CurrentRequestManager.get());
                ApiError error = new ApiError(ErrorCode.METHOD_NOT_ALLOWED, "This path supports " + allowed + ".");
                yield response(Response.ok().header(HttpHeaders.ALLOW, allowed).build(), error);
            }
            default -> response(thrown, new ApiError(code(status), phrase(status) + ".", status));
        };
    }

    /** Jakarta REST reports a query parameter that it cannot convert as an unknown path. */
    private Response notFound(WebApplicationException exception) {
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        String malformed = !isOfConversion(exception)
                ? ""
                : Stream.of(request.getTarget().getLazyMethod().getMethod().getParameters())
                        .filter(parameter -> parameter.getType() != String.class)
                        .map(QueryParameters::name)
                        .filter(name -> name != null && request.getQueryParameter(name, true, true) != null)
                        .collect(Collectors.joining(" or "));
        return refused(
                malformed.isEmpty()
                        ? new ApiException(ErrorCode.NOT_FOUND, "No such path.")
                        : ApiException.invalidParameter(malformed + " is malformed."));
    }

    private static boolean isOfConversion(WebApplicationException exception) {
        StackTraceElement[] thrown = exception.getStackTrace();
        return thrown.length > 0 && thrown[0].getClassName().equals(ParameterHandler.class.getName());
    }

    /** The published code of a status, if it has one of its own, otherwise its reason phrase, such as {@code forbidden}. */
    private static String code(int status) {
        return switch (status) {
            case 413 -> ErrorCode.PAYLOAD_TOO_LARGE.value();
            case 500 -> ErrorCode.INTERNAL_ERROR.value();
            default -> phrase(status).toLowerCase(Locale.ROOT).replaceAll("\\W+", "_");
        };
    }

    private static String phrase(int status) {
        return HttpResponseStatus.valueOf(status).reasonPhrase();
    }

    /** Of a body or, if only those are violated, of parameters; otherwise it is a defect. */
    @ServerExceptionMapper(priority = LAST)
    public Response invalid(ConstraintViolationException exception) {
        if (Area.isOutside(exchange())) {
            return map(exception, mapper(ValidationException.class, exception));
        }
        Map<String, String> reasons = new TreeMap<>();
        boolean ofParameters = true;
        for (ConstraintViolation<?> violation : exception.getConstraintViolations()) {
            List<Path.Node> nodes = new ArrayList<>();
            violation.getPropertyPath().forEach(nodes::add);
            boolean ofMethod = nodes.get(0).getKind() == ElementKind.METHOD;
            if (ofMethod
                    && (nodes.get(1).getKind() == ElementKind.RETURN_VALUE
                            || !(exception instanceof ResteasyReactiveViolationException))) {
                return failed(exception, Response.serverError().build());
            }
            String place = Reasons.place(violation);
            if (!ofMethod) {
                ofParameters = false;
            } else if (nodes.get(1).getKind() == ElementKind.PARAMETER) {
                String name = nodes.get(1).getName();
                String query = QueryParameters.name(parameter(nodes.get(1).as(Path.ParameterNode.class)));
                String rest = place.substring(nodes.get(0).getName().length() + 1 + name.length());
                ofParameters &= rest.isEmpty() || query != null;
                String element = rest.startsWith(".") ? rest.substring(1) : "The body" + rest;
                place = query != null ? query + rest : rest.isEmpty() ? name : element;
            }
            reasons.merge(place, reasonsOf.reason(violation), BinaryOperator.minBy(Comparator.naturalOrder()));
        }
        ApiException invalid = ApiException.invalidFields(reasons);
        return refused(ofParameters ? ApiException.invalidParameter(invalid.getMessage()) : invalid);
    }

    private static Parameter parameter(Path.ParameterNode node) {
        return CurrentRequestManager.get()
                .getTarget()
                .getLazyMethod()
                .getMethod()
                .getParameters()[node.getParameterIndex()];
    }

    @ServerExceptionMapper(priority = LAST)
    public Response failed(Throwable failure) throws Throwable {
        Response ofOthers = ofCause(failure);
        if (ofOthers != null) {
            return ofOthers;
        }
        if (Area.isOutside(exchange())) {
            // As without a mapper.
            throw failure;
        }
        return failed(failure, Response.serverError().build());
    }

    /** The response to what a transaction or an interceptor has wrapped, which Quarkus REST unwraps only if no mapper is for every failure. */
    private static Response ofCause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof RollbackException || cause instanceof ArcUndeclaredThrowableException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        ExceptionMapper<?> found = mapper(cause.getClass(), cause);
        return found.getClass() == mapper(Throwable.class, failure).getClass() ? null : map(cause, found);
    }

    private static ExceptionMapper<?> mapper(Class<? extends Throwable> type, Throwable failure) {
        @SuppressWarnings("unchecked")
        Class<Throwable> any = (Class<Throwable>) type;
        return CurrentRequestManager.get()
                .getDeployment()
                .getExceptionMapper()
                .getExceptionMapper(any, null, failure)
                .getValue();
    }

    @SuppressWarnings("unchecked")
    private static Response map(Throwable failure, ExceptionMapper<?> mapper) {
        return mapper instanceof ResteasyReactiveExceptionMapper<?> ofQuarkus
                ? ((ResteasyReactiveExceptionMapper<Throwable>) ofQuarkus)
                        .toResponse(failure, CurrentRequestManager.get())
                : ((ExceptionMapper<Throwable>) mapper).toResponse(failure);
    }

    private static RoutingContext exchange() {
        return CurrentRequestManager.get().unwrap(RoutingContext.class);
    }

    private Response failed(Throwable failure, Response thrown) {
        boolean isOfOperation = Caller.isOn(exchange());
        DatabaseBreaker database = Area.of(exchange()).isForOperators() ? ofKeys : ofService;
        if (isOfOperation && DatabaseBreaker.hasState(failure, NOT_STORABLE)) {
            return refused(new ApiException(ErrorCode.BAD_REQUEST, "No text may contain U+0000."));
        }
        // The engine's own operations that are admitted report the outages of their statements themselves.
        if (database.isOutage(failure) && !(isOfOperation && DatabaseBreaker.hasState(failure, MISSING_TABLE))) {
            database.record(failure);
            return refused(ApiException.unavailable());
        }
        if (thrown.getStatus() == StatusCode.SERVICE_UNAVAILABLE) {
            return response(
                    thrown,
                    new ApiError(
                            ErrorCode.SERVICE_UNAVAILABLE,
                            ApiException.unavailable().getMessage()));
        }
        if (failure instanceof IOException
                && CurrentRequestManager.get().serverResponse().closed()) {
            // The client has closed the connection, so no response can be sent.
            return Response.serverError().build();
        }
        return response(thrown, ApiError.ofDefect(failure, code(thrown.getStatus()), thrown.getStatus()));
    }

    private static Response response(Response thrown, ApiError error) {
        Response.ResponseBuilder response = Response.fromResponse(thrown)
                .status(error.status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(error);
        boolean retry = error.status() == StatusCode.SERVICE_UNAVAILABLE
                && thrown.getHeaderString(HttpHeaders.RETRY_AFTER) == null;
        return (retry ? response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS) : response).build();
    }
}
