package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import dev.animalstore.admin.OperatorToken;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * Authenticates requests for the console's pages by their session, and accepts forms from the console's own pages only. It runs before
 * matching, so a client without a session does not learn which pages exist.
 */
@Provider
@PreMatching
@NonBlocking
@ApplicationScoped
@Priority(Priorities.USER)
public class ConsoleFilter implements ResteasyReactiveContainerRequestFilter {
    private final OperatorToken token;
    private final Sessions sessions;
    private final ConsolePages pages;

    ConsoleFilter(OperatorToken token, Sessions sessions, ConsolePages pages) {
        this.token = token;
        this.sessions = sessions;
        this.pages = pages;
    }

    @Override
    public void filter(ResteasyReactiveContainerRequestContext request) {
        if (!ConsolePath.matches(request)) {
            return;
        }
        if (!token.isConfigured()) {
            throw new NotFoundException();
        }
        RoutingContext exchange =
                ((ResteasyReactiveRequestContext) request.getServerRequestContext()).unwrap(RoutingContext.class);
        HttpServerRequest http = exchange.request();
        if (!ConsolePath.isPage(request)) {
            return;
        }
        if (http.method().equals(HttpMethod.POST) && !SameOrigin.sent(http)) {
            request.abortWith(pages.foreignForm());
            return;
        }
        Optional<Session> session = SessionCookie.read(http).flatMap(sessions::unseal);
        boolean signingIn = request.getUriInfo().getPath().equals(ConsolePages.SIGN_IN);
        if (session.isPresent()) {
            check(request, exchange, session.get(), signingIn);
        } else if (!signingIn) {
            request.abortWith(ConsolePages.redirect(ConsolePages.SIGN_IN));
        }
    }

    /** Suspends the request while a query checks whether the session was signed out. */
    private void check(
            ResteasyReactiveContainerRequestContext request,
            RoutingContext exchange,
            Session session,
            boolean signingIn) {
        request.suspend();
        exchange.vertx()
                .executeBlocking(() -> sessions.isEnded(session), false)
                .onSuccess(ended -> {
                    if (!ended) {
                        session.attachTo(exchange);
                    }
                    if (ended && !signingIn) {
                        request.abortWith(ConsolePages.redirect(ConsolePages.SIGN_IN));
                    } else {
                        request.resume();
                    }
                })
                .onFailure(request::resume);
    }
}
