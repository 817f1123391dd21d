package dev.animalstore.admin;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Authenticates operators under {@code /admin}. It runs before matching, so a client without the token does not learn which paths exist. */
@ApplicationScoped
class OperatorFilter {
    private static final String SCHEME = "Bearer ";

    private final OperatorToken token;

    OperatorFilter(OperatorToken token) {
        this.token = token;
    }

    @ServerRequestFilter(preMatching = true, nonBlocking = true)
    Optional<Response> admit(ContainerRequestContext request) {
        if (!isOperators(request)) {
            return Optional.empty();
        }
        if (!token.isConfigured()) {
            throw new NotFoundException();
        }
        List<String> headers = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
        if (headers == null || headers.isEmpty()) {
            return Optional.of(refusal(ErrorCode.MISSING_API_KEY, "Send the operators' token.", ""));
        }
        return headers.size() == 1 && matches(headers.get(0))
                ? Optional.empty()
                : Optional.of(refusal(
                        ErrorCode.INVALID_API_KEY, "The operators' token is not valid.", ", error=\"invalid_token\""));
    }

    static boolean isOperators(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        return path.equals("/admin") || path.startsWith("/admin/");
    }

    private boolean matches(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && token.matches(header.substring(SCHEME.length()).strip());
    }

    private static Response refusal(ErrorCode code, String message, String error) {
        return new ApiError(code, message)
                .response()
                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"animal-store-admin\"" + error)
                .build();
    }
}
