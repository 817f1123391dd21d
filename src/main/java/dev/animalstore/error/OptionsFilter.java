package dev.animalstore.error;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;

/** Responds to {@code OPTIONS} with the methods of the path (RFC 9110, section 9.3.7). Quarkus REST lists those of the whole resource. */
final class OptionsFilter {
    /** After the gate and the check of the request's size. */
    private static final int LAST = Priorities.USER + 2;

    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = LAST)
    Optional<Response> respond(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.OPTIONS)) {
            return Optional.empty();
        }
        return Optional.of(AllowedMethods.of(CurrentRequestManager.get()))
                .filter(methods -> !methods.isEmpty())
                .map(methods -> Response.ok().header(HttpHeaders.ALLOW, methods).build());
    }
}
