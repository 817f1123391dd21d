package dev.animalstore.admin;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.gate.FailedAuthenticationLimit;
import dev.animalstore.operator.Audit;
import dev.animalstore.operator.OperatorToken;
import dev.animalstore.request.FilterPriorities;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Authenticates operators under {@code /admin}, and audits their requests. It runs before matching, so a client without the token does not learn which paths exist.
 * Requests without it count against the failed-authentication limit of their address; one with it is never refused.
 */
@ApplicationScoped
class OperatorFilter {
    private static final String SCHEME = "Bearer ";

    private final OperatorToken token;
    private final FailedAuthenticationLimit failures;
    private final Audit audit;

    OperatorFilter(OperatorToken token, FailedAuthenticationLimit failures, Audit audit) {
        this.token = token;
        this.failures = failures;
        this.audit = audit;
    }

    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = FilterPriorities.OPERATORS)
    Optional<Response> admit(ContainerRequestContext request, RoutingContext exchange) {
        if (!isOperators(request)) {
            return Optional.empty();
        }
        token.verifyServed(request.getUriInfo().getRequestUri());
        List<String> headers = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
        boolean given = headers != null && !headers.isEmpty();
        if (given && headers.size() == 1 && matches(headers.get(0))) {
            return Optional.empty();
        }
        long retryAfterSeconds = failures.charge(exchange);
        if (retryAfterSeconds > 0) {
            String message = "Too many requests without the operators' token came from this address. Retry in "
                    + retryAfterSeconds + " s.";
            Response.ResponseBuilder refused = new ApiError(ErrorCode.RATE_LIMIT_EXCEEDED, message).response();
            return Optional.of(
                    refused.header(HttpHeaders.RETRY_AFTER, retryAfterSeconds).build());
        }
        ApiError error = given
                ? new ApiError(ErrorCode.INVALID_API_KEY, "The operators' token is not valid.")
                : new ApiError(ErrorCode.MISSING_API_KEY, "Send the operators' token.");
        String challenge = "Bearer realm=\"animal-store-admin\"" + (given ? ", error=\"invalid_token\"" : "");
        return Optional.of(
                error.response().header(HttpHeaders.WWW_AUTHENTICATE, challenge).build());
    }

    @ServerResponseFilter
    void complete(ContainerRequestContext request, ContainerResponseContext response, ResourceInfo resource) {
        if (isOperators(request)) {
            response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
            audit.record(request, response, resource);
        }
    }

    private static boolean isOperators(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        return path.equals("/admin") || path.startsWith("/admin/");
    }

    private boolean matches(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && token.matches(header.substring(SCHEME.length()).strip());
    }
}
