package dev.animalstore.operator.api;

import dev.animalstore.metering.gate.FailedAuthenticationLimit;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.operator.Audit;
import dev.animalstore.operator.Operators;
import dev.animalstore.operator.UsageExport;
import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.Area;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Authenticates operators under {@code /admin} before matching, so a client without a token does not learn which paths exist.
 * Requests without one count against the failed-authentication limit of their address; one with a token is never refused.
 */
@ApplicationScoped
public class OperatorFilter {
    private static final String SCHEME = "Bearer ";

    private final Operators operators;
    private final FailedAuthenticationLimit failures;
    private final Audit audit;
    private final String challenge;

    OperatorFilter(Operators operators, FailedAuthenticationLimit failures, Audit audit, KeyConfig config) {
        this.operators = operators;
        this.failures = failures;
        this.audit = audit;
        challenge = "Bearer realm=\"" + config.realm() + "-admin\"";
    }

    /** The headers of a refusal are added to the exchange, and the exception mappers respond. */
    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = FilterPriorities.OPERATORS)
    public void admit(ContainerRequestContext request, RoutingContext exchange) {
        if (Area.of(exchange) != Area.ADMIN) {
            return;
        }
        audit.begin(exchange);
        operators.verifyServed(exchange.request().authority());
        List<String> given = exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        Optional<String> operator = given.size() == 1 ? find(given.get(0)) : Optional.empty();
        if (operator.isPresent()) {
            operators.signIn(operator.get(), exchange);
            if (request.getMethod().matches("GET|HEAD")) {
                // Quarkus REST would parse it to choose a representation of usage, and fail if it is malformed.
                exchange.request().headers().remove(HttpHeaders.CONTENT_TYPE);
            }
            chooseRepresentation(request.getUriInfo().getPath(), exchange);
            return;
        }
        long retryAfterSeconds = failures.charge(exchange);
        MultiMap headers = exchange.response().headers();
        if (retryAfterSeconds > 0) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(retryAfterSeconds));
            throw new ApiException(
                    ErrorCode.RATE_LIMIT_EXCEEDED,
                    "Too many requests without an operator's token came from this address. Retry in "
                            + retryAfterSeconds + " s.");
        }
        headers.set(
                HttpHeaders.WWW_AUTHENTICATE, given.isEmpty() ? challenge : challenge + ", error=\"invalid_token\"");
        throw given.isEmpty()
                ? new ApiException(ErrorCode.MISSING_API_KEY, "Send the operators' token.")
                : new ApiException(ErrorCode.INVALID_API_KEY, "The operators' token is not valid.");
    }

    /** Refuses a parameter that the operation does not have, since a misspelt filter would otherwise list everything. */
    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.PARAMETERS)
    public void verifyParameters(ResourceInfo operation, RoutingContext exchange) {
        if (Area.of(exchange) == Area.ADMIN && exchange.request().query() != null) {
            List<String> known = Stream.of(operation.getResourceMethod().getParameters())
                    .filter(parameter -> parameter.isAnnotationPresent(RestQuery.class))
                    .map(Parameter::getName)
                    .toList();
            if (!known.containsAll(exchange.queryParams().names())) {
                throw ApiException.invalidParameter("The operation has "
                        + (known.isEmpty() ? "no parameters" : "only " + String.join(", ", known)) + ".");
            }
        }
    }

    @ServerResponseFilter
    public void complete(RoutingContext exchange) {
        if (Area.of(exchange) == Area.ADMIN) {
            exchange.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        }
    }

    /** Only usage has two: JSON, and CSV if the client names that first. */
    private static void chooseRepresentation(String path, RoutingContext exchange) {
        String accept = Objects.requireNonNullElse(exchange.request().getHeader(HttpHeaders.ACCEPT), "");
        boolean csv = path.startsWith(AdminResource.USAGE)
                && accept.regionMatches(true, 0, UsageExport.TYPE, 0, UsageExport.TYPE.length());
        exchange.request().headers().set(HttpHeaders.ACCEPT, csv ? UsageExport.TYPE : MediaType.APPLICATION_JSON);
    }

    private Optional<String> find(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? operators.find(header.substring(SCHEME.length()).strip())
                : Optional.empty();
    }
}
