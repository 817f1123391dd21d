package dev.animalstore.request;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses requests whose host or scheme cannot be used in the absolute links of a response, before any other work; under {@code /v1} the
 * gate runs first. The host comes from the {@code Host} header or a trusted proxy, which also reports the scheme. Neither Quarkus nor
 * Vert.x validates them.
 */
final class HostFilter {
    private static final int AFTER_THE_GATE = Priorities.AUTHENTICATION + 1;

    /** A name, an IPv4 address, or an IPv6 address in brackets. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._~-]+|\\[[0-9A-Fa-f:.]+]");

    private static final Set<String> SCHEMES = Set.of("http", "https");

    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = AFTER_THE_GATE)
    Optional<Response> requireHost(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        if (authority == null || authority.host().isEmpty()) {
            return refusal("The Host header is missing.");
        }
        if (!HOST.matcher(authority.host()).matches()) {
            return refusal("The Host header is malformed.");
        }
        if (!SCHEMES.contains(request.scheme())) {
            return refusal("X-Forwarded-Proto must be http or https.");
        }
        return Optional.empty();
    }

    private static Optional<Response> refusal(String message) {
        return Optional.of(
                new ApiError(ErrorCode.INVALID_PARAMETER, message).response().build());
    }
}
