package dev.animalstore.console;

import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Optional;

/**
 * The session of an operator who signed in, stored in a cookie.
 *
 * @param id a random identifier
 * @param expiresAt when it expires, to the second
 */
record Session(String id, Instant expiresAt) {
    private static final String NAME = Session.class.getName();

    /** Stores the session for later handlers of the exchange. */
    void attachTo(RoutingContext exchange) {
        exchange.put(NAME, this);
    }

    /** The session of an exchange; empty if the operator is not signed in. */
    static Optional<Session> find(RoutingContext exchange) {
        return Optional.ofNullable(exchange.get(NAME));
    }

    /** The session of an exchange that {@link ConsoleFilter} has authenticated. */
    static Session of(RoutingContext exchange) {
        return find(exchange).orElseThrow(() -> new IllegalStateException("A page without a session."));
    }
}
