package dev.animalstore.operator.console;

import static jakarta.ws.rs.core.HttpHeaders.LOCATION;

import dev.animalstore.operator.Audit;
import dev.animalstore.operator.Operators;
import dev.animalstore.web.error.ApiError;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.http.FilterPriorities;
import dev.animalstore.web.page.PageRequest;
import io.quarkus.qute.TemplateInstance;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Authenticates requests for the console's pages by their session, and accepts forms from the console's own pages only. It runs before
 * matching, so a client without a session does not learn which pages exist. Errors under {@code /console} become pages, and its responses
 * have security headers.
 */
@ApplicationScoped
class ConsoleFilter {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private static final String FOREIGN_FORM =
            "This form did not come from a page of the console. Nothing was changed. Open the console again and retry.";

    /** Of the page to return to after the sign-in, whose own address is up to three times as long. */
    private static final int MAXIMUM_RETURN = 1000;

    private final Operators operators;
    private final Sessions sessions;
    private final Audit audit;

    ConsoleFilter(Operators operators, Sessions sessions, Audit audit) {
        this.operators = operators;
        this.sessions = sessions;
        this.audit = audit;
    }

    @ServerRequestFilter(preMatching = true, nonBlocking = true, priority = FilterPriorities.OPERATORS)
    Response admit(ContainerRequestContext request, RoutingContext exchange) {
        HttpServerRequest http = exchange.request();
        boolean page = isPage(request, exchange);
        if (page) {
            audit.begin(exchange);
        }
        if (Area.of(exchange) == Area.CONSOLE) {
            operators.verifyServed(http.authority());
        }
        if (page && request.getMethod().equals(HttpMethod.POST) && !isFromOwnPage(http)) {
            return ConsolePages.show(exchange, StatusCode.FORBIDDEN, Templates.problem("Not accepted", FOREIGN_FORM));
        }
        if (!page || sessions.resume(exchange) || request.getUriInfo().getPath().equals(ConsolePages.SIGN_IN)) {
            return null;
        }
        return ConsolePages.redirect(ConsolePages.SIGN_IN
                + asked(request.getMethod(), request.getUriInfo().getPath(), http.uri()));
    }

    /** Where to lead after the sign-in: to the page that was asked for, or back to the one with the form that was sent in vain. */
    private static String asked(String method, String path, String target) {
        if (target.length() > MAXIMUM_RETURN || path.equals(ConsolePages.SIGN_OUT)) {
            return "";
        }
        return switch (method) {
            case HttpMethod.GET -> "?to=" + Notation.encoded(target);
            case HttpMethod.POST -> "?unsent=true&to=" + Notation.encoded(path.replaceFirst("/(ban/lift|lookup)$", ""));
            default -> "";
        };
    }

    /** Whether a request is for a page, even one that does not exist. The style sheet and the script are public. */
    private static boolean isPage(ContainerRequestContext request, RoutingContext exchange) {
        return Area.of(exchange) == Area.CONSOLE
                && !request.getUriInfo().getPath().startsWith(AssetResource.FOLDER);
    }

    /**
     * Checks headers that other pages cannot forge: {@code Sec-Fetch-Site}, which browsers send to trustworthy addresses, or {@code Origin}
     * if it is absent. A request with neither is refused.
     */
    private static boolean isFromOwnPage(HttpServerRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        return site == null
                ? Visit.origin(request).equalsIgnoreCase(request.getHeader(HttpHeaders.ORIGIN))
                : site.equals("same-origin");
    }

    @ServerResponseFilter
    void complete(ContainerRequestContext request, ContainerResponseContext response, RoutingContext exchange) {
        if (Area.of(exchange) != Area.CONSOLE || !operators.areConfigured()) {
            return;
        }
        if (response.getEntity() instanceof ApiError error) {
            response.setEntity(
                    ConsolePages.render(
                            exchange, problem(error, request.getMethod().equals(HttpMethod.POST))),
                    null,
                    MediaType.TEXT_HTML_TYPE.withCharset("UTF-8"));
        }
        MultivaluedMap<String, Object> headers = response.getHeaders();
        String prefix = PageRequest.prefix(exchange.request());
        if (!prefix.isEmpty()) {
            addPrefix(prefix, response);
        }
        exchange.response().putHeader("Cache-Control", "no-store");
        headers.putSingle("Content-Security-Policy", POLICY);
        // No address of the console contains a secret. With "no-referrer" a browser would send "Origin: null" with the
        // console's own forms.
        headers.putSingle("Referrer-Policy", "same-origin");
        headers.putSingle("Cross-Origin-Opener-Policy", "same-origin");
        headers.putSingle("Cross-Origin-Resource-Policy", "same-origin");
    }

    /** Adds what a proxy has removed to the addresses of a response, which all begin with that of the console. */
    private static void addPrefix(String prefix, ContainerResponseContext response) {
        if (response.getHeaders().getFirst(LOCATION) instanceof String address) {
            response.getHeaders().putSingle(LOCATION, prefix + address);
        }
        if (response.getEntity() instanceof String page) {
            String prefixed = page.replaceAll("(?:href|action|src)=\"(?=" + ConsolePages.ROOT + ")", "$0" + prefix);
            response.setEntity(prefixed, null, response.getMediaType());
        }
    }

    /**
     * The page for an error, in the words of a page: the body is a form, and parameters are part of its address. A form that could not be
     * processed can be sent again by a reload, which keeps what was typed.
     */
    private static TemplateInstance problem(ApiError error, boolean isForm) {
        String message = error.code().equals(ErrorCode.INVALID_PARAMETER.value())
                ? "The address of this page is not valid. Start again from the overview."
                : error.message().replaceFirst("^The body", "The form");
        String advice = isForm && error.status() == StatusCode.SERVICE_UNAVAILABLE
                ? " Reload this page to send the form again, as it was filled in. A form takes effect at most once."
                : "";
        String title = Response.Status.fromStatusCode(error.status()).getReasonPhrase();
        return Templates.problem(title, message + advice);
    }
}
