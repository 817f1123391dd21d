package dev.animalstore.console;

import dev.animalstore.error.ApiError;
import io.quarkus.qute.TemplateInstance;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Renders templates as responses. */
@Singleton
class ConsolePages {
    /** The path of the first page. */
    static final String ROOT = "/console";

    static final String SIGN_IN = ROOT + "/sign-in";
    static final String KEYS = ROOT + "/keys";
    static final int OK = 200;
    static final int CREATED = 201;
    static final int CONFLICT = 409;

    private static final int SEE_OTHER = 303;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;

    private final Sessions sessions;
    private final AssetResource assets;
    private final RoutingContext exchange;

    /** @param exchange the current one of the thread that uses it */
    ConsolePages(Sessions sessions, AssetResource assets, RoutingContext exchange) {
        this.sessions = sessions;
        this.assets = assets;
        this.exchange = exchange;
    }

    /** Redirects to another page. The address is on this host, whatever host the request named. */
    static Response redirect(String path) {
        return Response.status(SEE_OTHER).header(HttpHeaders.LOCATION, path).build();
    }

    /** Renders a page with its title. */
    Response show(int status, String title, TemplateInstance page) {
        return Response.status(status)
                .type("text/html;charset=UTF-8")
                .entity(render(title, page))
                .build();
    }

    private String render(String title, TemplateInstance page) {
        String[] path = exchange.normalizedPath().split("/", -1);
        String section = path.length > 2 ? path[2] : "";
        return page.data(
                        "frame",
                        new Frame(title, section, sessions.formToken().orElse(null), assets.folder(), origin()))
                .render();
    }

    /** Where the request was sent, which also serves the API. */
    private String origin() {
        return exchange.request().scheme() + "://" + exchange.request().authority();
    }

    /** The page for a form that did not come from a page of the console. */
    @ServerExceptionMapper(ForbiddenException.class)
    Response foreignForm() {
        String message =
                "This form did not come from a page of the console, or its session has ended. Nothing was changed."
                        + " Open the console again and retry.";
        return show(FORBIDDEN, "Not accepted", Templates.problem(message));
    }

    /** The page for an error. A form that could not be processed can be sent again by a reload, which keeps what was typed. */
    String problem(ApiError error) {
        boolean form = exchange.request().method().equals(HttpMethod.POST);
        String advice = form && error.status() == UNAVAILABLE
                ? " Reload this page to send the form again, as it was filled in. A form takes effect at most once."
                : "";
        String title = switch (error.status()) {
            case 404 -> "Not found";
            case 503 -> "Unavailable";
            case 500 -> "Internal error";
            default -> "Not accepted";
        };
        return render(title, Templates.problem(error.message() + advice));
    }

    /**
     * What all pages have.
     *
     * @param section the first part of the path below the console's own, such as {@code keys}
     * @param formToken the CSRF token of each form; {@code null} on a page without a session
     * @param assets the folder of the assets
     * @param origin the scheme and the host of the request
     */
    record Frame(String title, String section, String formToken, String assets, String origin) {
        /** Whether an operator is signed in. */
        public boolean signedIn() {
            return formToken != null;
        }

        /** The path of the first page. */
        public String root() {
            return ROOT;
        }
    }
}
