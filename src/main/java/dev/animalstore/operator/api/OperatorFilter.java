package dev.animalstore.operator.api;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.gate.FailedAuthenticationLimit;
import dev.animalstore.http.Area;
import dev.animalstore.http.FilterPriorities;
import dev.animalstore.operator.Audit;
import dev.animalstore.operator.OperatorToken;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Authenticates operators under {@code /admin} before matching, so a client without the token does not learn which paths exist.
 * Requests without it count against the failed-authentication limit of their address; one with it is never refused.
 */
@ApplicationScoped
class OperatorFilter {
    private static final String SCHEME = "Bearer ";
    private static final Pattern REPRESENTATION = Pattern.compile("text/(csv|\\*)|(application|\\*)/(json|\\*)");
    private static final String CHALLENGE = "Bearer realm=\"animal-store-admin\"";

    private final OperatorToken token;
    private final FailedAuthenticationLimit failures;
    private final Audit audit;

    OperatorFilter(OperatorToken token, FailedAuthenticationLimit failures, Audit audit) {
        this.token = token;
        this.failures = failures;
        this.audit = audit;
    }

    /** The headers of a refusal are added to the exchange, and the exception mappers respond. */
    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = FilterPriorities.OPERATORS)
    void admit(ContainerRequestContext request, RoutingContext exchange) {
        if (Area.of(exchange) != Area.ADMIN) {
            return;
        }
        token.verifyServed(request.getUriInfo().getRequestUri());
        List<String> given = exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        if (given.size() == 1 && matches(given.get(0))) {
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
                    "Too many requests without the operators' token came from this address. Retry in "
                            + retryAfterSeconds + " s.");
        }
        headers.set(
                HttpHeaders.WWW_AUTHENTICATE, given.isEmpty() ? CHALLENGE : CHALLENGE + ", error=\"invalid_token\"");
        throw given.isEmpty()
                ? new ApiException(ErrorCode.MISSING_API_KEY, "Send the operators' token.")
                : new ApiException(ErrorCode.INVALID_API_KEY, "The operators' token is not valid.");
    }

    @ServerResponseFilter
    void complete(
            ContainerRequestContext request,
            ContainerResponseContext response,
            ResourceInfo resource,
            RoutingContext exchange) {
        if (Area.of(exchange) == Area.ADMIN) {
            response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
            audit.record(request, response, resource);
        }
    }

    /** Only usage has two: JSON, and CSV if that comes first in what the client prefers. */
    private static void chooseRepresentation(String path, RoutingContext exchange) {
        boolean prefersCsv = path.startsWith(UsageResource.PATH)
                && exchange.parsedHeaders().accept().stream()
                        .filter(accepted -> accepted.weight() > 0)
                        .map(accepted -> (accepted.component() + "/" + accepted.subComponent()).strip())
                        .filter(REPRESENTATION.asMatchPredicate())
                        .findFirst()
                        .filter(type -> type.startsWith("text/"))
                        .isPresent();
        exchange.request()
                .headers()
                .set(HttpHeaders.ACCEPT, prefersCsv ? UsageExport.TYPE : MediaType.APPLICATION_JSON);
    }

    private boolean matches(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && token.matches(header.substring(SCHEME.length()).strip());
    }
}
