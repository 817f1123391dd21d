package dev.animalstore.operator.console;

import static jakarta.ws.rs.core.HttpHeaders.LOCATION;

import dev.animalstore.operator.Audit;
import dev.animalstore.operator.Operators;
import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.error.ApiError;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.Area;
import dev.animalstore.web.page.PageRequest;
import io.quarkus.qute.TemplateInstance;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Authenticates requests for the console's pages by their session, and accepts forms from the console's own pages only. It runs before
 * matching, so a client without a session does not learn which pages exist. Errors under {@code /console} become pages, and its responses
 * have security headers.
 */
@ApplicationScoped
public class ConsoleFilter {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private static final String FOREIGN_FORM =
            "This form did not come from a page of the console. Nothing was changed. Open the console again and retry.";

    private static final String UNKNOWN_FORM =
            "The browser does not say from which page this form is. Nothing was changed."
                    + " Allow it to send the header Sec-Fetch-Site, Origin or Referer, and retry.";

    /** The headers that tell which page a form is from. */
    private static final List<String> SOURCES = List.of("Sec-Fetch-Site", "Origin", "Referer");

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
    public Response admit(ContainerRequestContext request, RoutingContext exchange) {
        HttpServerRequest http = exchange.request();
        boolean page = isPage(request, exchange);
        if (page) {
            audit.begin(exchange);
        }
        if (Area.of(exchange) == Area.CONSOLE) {
            operators.verifyServed(http.authority());
        }
        if (page && request.getMethod().equals(HttpMethod.POST) && !isFromOwnPage(http)) {
            String reason = SOURCES.stream().anyMatch(http.headers()::contains) ? FOREIGN_FORM : UNKNOWN_FORM;
            return ConsolePages.show(exchange, StatusCode.FORBIDDEN, Templates.problem("Not accepted", reason));
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
            case HttpMethod.POST ->
                "?unsent=true&to=" + Notation.encoded(path.replaceFirst("/((ban|suspension)/lift|lookup)$", ""));
            default -> "";
        };
    }

    /** Whether a request is for a page, even one that does not exist. The style sheet and the script are public. */
    private static boolean isPage(ContainerRequestContext request, RoutingContext exchange) {
        return Area.of(exchange) == Area.CONSOLE
                && !request.getUriInfo().getPath().startsWith(AssetResource.FOLDER);
    }

    /**
     * Checks the first of {@link #SOURCES} that is present, which other pages cannot forge. Browsers send {@code Sec-Fetch-Site} to trustworthy
     * addresses only, and text browsers send neither it nor {@code Origin}. A request with none is refused.
     */
    private static boolean isFromOwnPage(HttpServerRequest request) {
        String site = request.getHeader(SOURCES.get(0));
        if (site != null) {
            return site.equals("same-origin");
        }
        String own = Visit.origin(request);
        String origin = request.getHeader(SOURCES.get(1));
        String page = request.getHeader(SOURCES.get(2));
        return origin == null
                ? page != null && page.regionMatches(true, 0, own + "/", 0, own.length() + 1)
                : own.equalsIgnoreCase(origin);
    }

    @ServerResponseFilter
    public void complete(ContainerRequestContext request, ContainerResponseContext response, RoutingContext exchange) {
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
