package dev.animalstore.operator.console;

import dev.animalstore.metering.gate.FailedAuthenticationLimit;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.operator.Operator;
import dev.animalstore.operator.Operators;
import dev.animalstore.operator.SignedInFilter;
import dev.animalstore.operator.SignedInFilter.ForReaders;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

/**
 * Signs operators in and out. The sign-in is the only page without a session. Failed sign-ins are charged to the address like requests
 * without a valid key. A right token is never refused. None of them needs the database.
 */
@NonBlocking
@ApplicationScoped
@SignedInFilter.ForEverybody
@Path(ConsolePages.ROOT)
@Produces(MediaType.TEXT_HTML)
@Consumes(MediaType.APPLICATION_FORM_URLENCODED)
public class SessionResource {
    private final Operators operators;
    private final Sessions sessions;
    private final FailedAuthenticationLimit failures;
    private final KeyConfig config;

    SessionResource(Operators operators, Sessions sessions, FailedAuthenticationLimit failures, KeyConfig config) {
        this.operators = operators;
        this.sessions = sessions;
        this.failures = failures;
        this.config = config;
    }

    /**
     * Shows the form, or redirects to the page that was asked for if there is a session.
     *
     * @param unsent whether another form was sent without a session
     */
    @GET
    @Path("sign-in")
    public Response showSignIn(
            @RestQuery @DefaultValue("") String to, @RestQuery boolean unsent, RoutingContext exchange) {
        return Operator.of(exchange).isSignedIn()
                ? leadTo(to)
                : ConsolePages.show(exchange, StatusCode.OK, Templates.signIn("", to, unsent));
    }

    /**
     * Redirects to a page of the console, or to the first one if the address is none of a page. That of a file leads to the page that offers it,
     * since a download would leave the sign-in on the screen, with the token.
     */
    private static Response leadTo(String asked) {
        String page = asked.replaceFirst(UsageFileResource.NAME + "([?#].*)?$", "");
        return ConsolePages.redirect(page.matches(ConsolePages.ROOT + "/[!-~]*") ? page : ConsolePages.ROOT);
    }

    @POST
    @ForReaders
    @Path("sign-in")
    public Response signIn(String body, RoutingContext exchange) {
        Form form = Form.parse(body);
        Optional<String> operator = operators.find(form.value("token").strip());
        if (operator.isPresent()) {
            sessions.open(operator.get(), exchange);
            return leadTo(form.value("to"));
        }
        long retryAfterSeconds = failures.charge(exchange);
        if (retryAfterSeconds > 0) {
            String message = "Too many failed sign-ins came from this address. Retry in " + retryAfterSeconds + " s.";
            return refuse(
                    exchange, form, StatusCode.TOO_MANY_REQUESTS, message, HttpHeaders.RETRY_AFTER, retryAfterSeconds);
        }
        // RFC 9110 requires it with a 401. For a scheme that they do not know, browsers show the page.
        String challenge = "Form realm=\"" + config.realm() + "-console\"";
        String message = "The token is not valid.";
        return refuse(exchange, form, StatusCode.UNAUTHORIZED, message, HttpHeaders.WWW_AUTHENTICATE, challenge);
    }

    private static Response refuse(
            RoutingContext exchange, Form form, int status, String message, String header, Object value) {
        return Response.fromResponse(
                        ConsolePages.show(exchange, status, Templates.signIn(message, form.value("to"), false)))
                .header(header, value)
                .build();
    }

    /** Deletes the cookie. A copy of it stays valid until it expires. No browser stores the pages, so its back button shows none. */
    @POST
    @ForReaders
    @Path("sign-out")
    public Response signOut(RoutingContext exchange) {
        sessions.close(exchange);
        return ConsolePages.redirect(ConsolePages.SIGN_IN);
    }
}
