package dev.animalstore.error;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;

/** Answers {@code OPTIONS} by the methods that the path takes (RFC 9110, section 9.3.7); Quarkus REST lists those of the whole resource. */
final class OptionsFilter {
    /** The gate and what refuses requests for their size come before. */
    private static final int LAST = Priorities.USER + 2;

    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = LAST)
    Optional<Response> answer(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.OPTIONS)) {
            return Optional.empty();
        }
        return Optional.of(AllowedMethods.of(CurrentRequestManager.get()))
                .filter(methods -> !methods.isEmpty())
                .map(methods -> Response.ok().header(HttpHeaders.ALLOW, methods).build());
    }
}
