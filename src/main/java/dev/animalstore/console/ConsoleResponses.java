package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import dev.animalstore.admin.OperatorToken;
import dev.animalstore.error.ApiError;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Renders errors under {@code /console} as pages, and adds the security headers of the console's responses. */
@ApplicationScoped
class ConsoleResponses {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private final OperatorToken token;
    private final ConsolePages pages;

    ConsoleResponses(OperatorToken token, ConsolePages pages) {
        this.token = token;
        this.pages = pages;
    }

    @ServerResponseFilter
    void complete(ContainerRequestContext request, ContainerResponseContext response, RoutingContext exchange) {
        if (!ConsolePath.matches(request) || !token.isConfigured()) {
            return;
        }
        if (response.getEntity() instanceof ApiError error) {
            response.setEntity(
                    pages.problem(exchange, error).getEntity(),
                    null,
                    new MediaType(MediaType.TEXT_HTML_TYPE.getType(), MediaType.TEXT_HTML_TYPE.getSubtype(), "UTF-8"));
        }
        MultivaluedMap<String, Object> headers = response.getHeaders();
        headers.putSingle("Content-Security-Policy", POLICY);
        // No address of the console contains a secret. With "no-referrer" a browser would send "Origin: null" with the
        // console's own forms.
        headers.putSingle("Referrer-Policy", "same-origin");
        headers.putSingle("Cross-Origin-Opener-Policy", "same-origin");
        headers.putSingle("Cross-Origin-Resource-Policy", "same-origin");
        if (ConsolePath.isPage(request)) {
            headers.putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
            headers.putSingle(HttpHeaders.VARY, "Cookie");
        } else if (!headers.containsKey(HttpHeaders.CACHE_CONTROL)) {
            // An error under the address of the assets; only assets may be stored.
            headers.putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
        }
    }
}
