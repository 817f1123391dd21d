package dev.animalstore.request;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses requests that name no host, as HTTP/1.0 allows: the absolute links of an answer could not be written, and the work would have
 * been done by the time that shows.
 */
final class HostFilter {
    private static final int BEFORE_AUTHENTICATION = Priorities.AUTHENTICATION - 1;

    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = BEFORE_AUTHENTICATION)
    Optional<Response> demandHost(HttpServerRequest request) {
        if (request.authority() != null) {
            return Optional.empty();
        }
        return Optional.of(new ApiError(ErrorCode.INVALID_PARAMETER, "The Host header is missing.")
                .response()
                .build());
    }
}
