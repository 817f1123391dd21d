package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import dev.animalstore.admin.OperatorToken;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.FailedAuthenticationLimit;
import dev.animalstore.request.ClientAddress;
import dev.animalstore.request.Form;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * The sign-in page, the only page without a session. Failed sign-ins are charged to the address like requests without a valid key; beyond
 * that limit no token is checked. Operators who are signed in are not affected.
 */
@ApplicationScoped
@Path(ConsolePages.SIGN_IN)
@Produces(MediaType.TEXT_HTML)
public class SignInResource {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY_REQUESTS = 429;

    private final OperatorToken token;
    private final Sessions sessions;
    private final FailedAuthenticationLimit failures;
    private final ConsolePages pages;

    SignInResource(OperatorToken token, Sessions sessions, FailedAuthenticationLimit failures, ConsolePages pages) {
        this.token = token;
        this.sessions = sessions;
        this.failures = failures;
        this.pages = pages;
    }

    /** Shows the form, or redirects to the first page if there is a session. */
    @GET
    public Response showSignIn(RoutingContext exchange) {
        return Session.find(exchange).isPresent() ? ConsolePages.redirect(ConsolePath.ROOT) : form(exchange, OK, "");
    }

    /** Signs in and creates a session. */
    @POST
    public Response signIn(Form form, RoutingContext exchange) {
        HttpServerRequest request = exchange.request();
        String address = ClientAddress.of(request.remoteAddress());
        if (failures.peek(address).outcome() != Outcome.ADMITTED) {
            return tooMany(exchange, failures.peek(address));
        }
        if (!token.matches(form.text("token").strip())) {
            failures.charge(address);
            Response refused = form(exchange, UNAUTHORIZED, "The operators' token is not valid.");
            // RFC 9110 requires it with a 401. For a scheme that they do not know, browsers show the page.
            refused.getHeaders().add(HttpHeaders.WWW_AUTHENTICATE, "Form realm=\"animal-store-console\"");
            return refused;
        }
        Response response = ConsolePages.redirect(ConsolePath.ROOT);
        response.getHeaders().add(HttpHeaders.SET_COOKIE, SessionCookie.set(request, sessions.seal(sessions.open())));
        return response;
    }

    private Response tooMany(RoutingContext exchange, Decision budget) {
        long seconds = budget.retryAfterSeconds();
        Response response = form(
                exchange,
                TOO_MANY_REQUESTS,
                "Too many failed sign-ins came from this address. Retry in " + seconds + " s.");
        response.getHeaders().add(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        return response;
    }

    private Response form(RoutingContext exchange, int status, String error) {
        return ConsolePages.show(status, Templates.signIn(pages.frame(exchange, "Sign in", ""), error));
    }
}
