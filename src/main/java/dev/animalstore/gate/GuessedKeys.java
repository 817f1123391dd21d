package dev.animalstore.gate;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Limits the database queries that guessed keys can cause. For addresses that have exceeded their limit of failed authentications, only a
 * few keys that were not found within the last hour are looked up at a time. Each look-up occupies its slot for at least a tenth of a
 * second, so however fast the database is, there are at most 40 per second.
 */
@Singleton
final class GuessedKeys {
    private static final int MAXIMUM = 4;
    private static final long SHORTEST_MILLIS = 100;

    private final Semaphore slots = new Semaphore(MAXIMUM);
    private final Vertx vertx;

    GuessedKeys(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Starts a look-up, unless too many are in flight. Never blocks. */
    <T> Optional<Future<T>> lookUp(Supplier<Future<T>> lookUp) {
        if (!slots.tryAcquire()) {
            return Optional.empty();
        }
        Future<T> found = lookUp.get();
        vertx.setTimer(SHORTEST_MILLIS, ignored -> found.onComplete(completed -> slots.release()));
        return Optional.of(found);
    }
}
