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
 * Limits the database queries that guessed keys can cause. For addresses that have exceeded their limit of failed authentications, only a
 * few keys that were not found within the last hour are looked up at a time. Each look-up occupies its slot for at least a tenth of a
 * second, so however fast the database is, there are at most 40 per second.
 */
@Singleton
final class GuessedKeys {
    private static final int MAXIMUM = 4;
    private static final int MAXIMUM_PER_ADDRESS = 2;
    private static final long SHORTEST_MILLIS = 100;

    private final Map<String, Integer> slotsByAddress = new HashMap<>();
    private final Vertx vertx;
    private int slots;

    GuessedKeys(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Starts a look-up, unless too many are in flight, for that address or in total. Never blocks. */
    <T> Optional<Future<T>> lookUp(SocketAddress peer, Supplier<Future<T>> lookUp) {
        String address = ClientAddress.of(peer);
        if (!acquire(address)) {
            return Optional.empty();
        }
        Future<T> found = lookUp.get();
        vertx.setTimer(SHORTEST_MILLIS, ignored -> found.onComplete(completed -> release(address)));
        return Optional.of(found);
    }

    private synchronized boolean acquire(String address) {
        int own = slotsByAddress.getOrDefault(address, 0);
        if (slots == MAXIMUM || own == MAXIMUM_PER_ADDRESS) {
            return false;
        }
        slots++;
        slotsByAddress.put(address, own + 1);
        return true;
    }

    private synchronized void release(String address) {
        slots--;
        slotsByAddress.computeIfPresent(address, (ignored, own) -> own == 1 ? null : own - 1);
    }
}
