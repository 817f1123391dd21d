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

/** Signs out: afterwards a copy of the cookie is invalid on every replica. */
@ApplicationScoped
@Path("/console/sign-out")
@Produces(MediaType.TEXT_HTML)
public class SignOutResource {
    private final Sessions sessions;
    private final CsrfTokens csrf;

    SignOutResource(Sessions sessions, CsrfTokens csrf) {
        this.sessions = sessions;
        this.csrf = csrf;
    }

    /** Signs out. */
    @POST
    public Response signOut(Form form, RoutingContext exchange) {
        csrf.verify(form, exchange);
        sessions.end(Session.of(exchange));
        Response response = ConsolePages.redirect(ConsolePages.SIGN_IN);
        response.getHeaders().add(HttpHeaders.SET_COOKIE, SessionCookie.delete(exchange.request()));
        // Also clears the pages that the browser has cached for its back button.
        response.getHeaders().add("Clear-Site-Data", "\"cache\"");
        return response;
    }
}
