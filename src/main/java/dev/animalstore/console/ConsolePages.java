package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import dev.animalstore.error.ApiError;
import io.quarkus.qute.TemplateInstance;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** Renders templates as responses. */
@Singleton
class ConsolePages {
    static final String SIGN_IN = ConsolePath.ROOT + "/sign-in";
    static final String KEYS = ConsolePath.ROOT + "/keys";

    private static final String HTML = "text/html;charset=UTF-8";
    private static final int FORBIDDEN = 403;
    private static final int SEE_OTHER = 303;
    private static final int UNAVAILABLE = 503;

    private final Sessions sessions;
    private final Assets assets;

    ConsolePages(Sessions sessions, Assets assets) {
        this.sessions = sessions;
        this.assets = assets;
    }

    /** Redirects to another page. The address is on this host, whatever host the request named. */
    static Response redirect(String path) {
        return Response.status(SEE_OTHER).header(HttpHeaders.LOCATION, path).build();
    }

    /** The frame of a page. */
    Frame frame(RoutingContext exchange, String title, String section) {
        return frame(Session.find(exchange), title, section);
    }

    /** Renders a page. */
    static Response show(int status, TemplateInstance page) {
        return Response.status(status).type(HTML).entity(page.render()).build();
    }

    /** The page for a form that did not come from a page of the console. */
    Response foreignForm() {
        return problem(
                FORBIDDEN,
                Optional.empty(),
                "Not accepted",
                "This form did not come from a page of the console, or its session has ended. Nothing was changed."
                        + " Open the console again and retry.");
    }

    /** The page for an error. A form that could not be processed can be sent again by a reload, which keeps what was typed. */
    Response problem(RoutingContext exchange, ApiError error) {
        boolean form = exchange.request().method().equals(HttpMethod.POST);
        String advice = form && error.status() == UNAVAILABLE
                ? " Reload this page to send the form again, as it was filled in. A form takes effect at most once."
                : "";
        return problem(error.status(), Session.find(exchange), title(error.status()), error.message() + advice);
    }

    private Response problem(int status, Optional<Session> session, String title, String message) {
        return show(status, Templates.problem(frame(session, title, ""), message));
    }

    private Frame frame(Optional<Session> session, String title, String section) {
        return new Frame(title, section, session.map(sessions::formToken).orElse(null), assets.folder());
    }

    private static String title(int status) {
        return switch (status) {
            case 404 -> "Not found";
            case 409 -> "Not possible now";
            case 503 -> "Unavailable";
            case 500 -> "Internal error";
            default -> "Not accepted";
        };
    }
}
