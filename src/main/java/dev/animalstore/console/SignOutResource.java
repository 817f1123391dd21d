package dev.animalstore.console;

import dev.animalstore.request.Form;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Ends a session: a copy of its cookie is of no use afterwards, on any replica. */
@ApplicationScoped
@Path("/console/sign-out")
@Produces(MediaType.TEXT_HTML)
public class SignOutResource {
    private final Sessions sessions;
    private final OwnForms forms;

    SignOutResource(Sessions sessions, OwnForms forms) {
        this.sessions = sessions;
        this.forms = forms;
    }

    /** Signs out. */
    @POST
    public Response signOut(Form form, RoutingContext exchange) {
        forms.verify(form, exchange);
        sessions.end(Session.of(exchange));
        Response response = ConsolePages.redirect(ConsolePages.SIGN_IN);
        response.getHeaders().add(HttpHeaders.SET_COOKIE, SessionCookie.take(exchange.request()));
        // What a browser kept of the pages, for its back button, goes too.
        response.getHeaders().add("Clear-Site-Data", "\"cache\"");
        return response;
    }
}
