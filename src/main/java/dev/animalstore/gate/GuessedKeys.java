package dev.animalstore.gate;

import dev.animalstore.request.ClientAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps guessed keys from the database: of addresses whose budget is spent, a few keys that were not found within the last hour are looked
 * up at a time. Each look-up takes its place for a tenth of a second at least, so that however fast the database is, no more than 40 a second
 * get through.
 */
@Singleton
final class GuessedKeys {
    private static final int MAXIMUM = 4;
    private static final int MAXIMUM_OF_AN_ADDRESS = 2;
    private static final long SHORTEST_MILLIS = 100;

    private final Map<String, Integer> places = new HashMap<>();
    private final Vertx vertx;
    private int taken;

    GuessedKeys(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Begins a look-up, or does not if too many are in flight, of that address or of all. Never blocks. */
    <T> Optional<Future<T>> lookUp(SocketAddress peer, Supplier<Future<T>> lookUp) {
        String address = ClientAddress.of(peer);
        if (!take(address)) {
            return Optional.empty();
        }
        Future<T> found = lookUp.get();
        vertx.setTimer(SHORTEST_MILLIS, timer -> found.onComplete(end -> giveBack(address)));
        return Optional.of(found);
    }

    private synchronized boolean take(String address) {
        int own = places.getOrDefault(address, 0);
        if (taken == MAXIMUM || own == MAXIMUM_OF_AN_ADDRESS) {
            return false;
        }
        taken++;
        places.put(address, own + 1);
        return true;
    }

    private synchronized void giveBack(String address) {
        taken--;
        places.computeIfPresent(address, (name, own) -> own == 1 ? null : own - 1);
    }
}
