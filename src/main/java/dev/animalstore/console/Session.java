package dev.animalstore.console;

import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Optional;

/**
 * The time for which an operator who signed in is known by a cookie.
 *
 * @param id a random text that names it
 * @param expiresAt when it ends by itself, to the second
 */
record Session(String id, Instant expiresAt) {
    private static final String NAME = Session.class.getName();

    /** Makes it known to those who come later in the exchange. */
    void attachTo(RoutingContext exchange) {
        exchange.put(NAME, this);
    }

    /** That of an exchange; empty if nobody is signed in. */
    static Optional<Session> find(RoutingContext exchange) {
        return Optional.ofNullable(exchange.get(NAME));
    }

    /** That of an exchange which {@link ConsoleFilter} let pass. */
    static Session of(RoutingContext exchange) {
        return find(exchange).orElseThrow(() -> new IllegalStateException("A page without a session."));
    }
}
