package dev.animalstore.gate;

import dev.animalstore.key.CachedKey;
import dev.animalstore.key.KeyCache;
import dev.animalstore.key.KeyHash;
import dev.animalstore.key.KeyRegistry;
import dev.animalstore.quota.Reply.Stale;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Reloads a key if Redis knows a newer version than its cached copy.
 *
 * <p>A version is raised in Redis after it was committed in PostgreSQL, so a query that starts after Redis reported a version finds at
 * least that one. If it does not, PostgreSQL has lost data: it was restored, or a failover lost the commit. Its current row is then valid,
 * and gets a version newer than any replica's copy.
 */
@Singleton
final class OutdatedCopies {
    private final KeyCache cache;
    private final KeyRegistry keys;
    private final Vertx vertx;

    OutdatedCopies(KeyCache cache, KeyRegistry keys, Vertx vertx) {
        this.cache = cache;
        this.keys = keys;
        this.vertx = vertx;
    }

    /** The current key of a secret. Never blocks. */
    Future<Optional<CachedKey>> renew(KeyHash secret, CachedKey copy, Stale stale) {
        return reload(secret).compose(found -> {
            boolean behind = found.isPresent()
                    && found.get().id() == copy.id()
                    && found.get().version() < stale.newest();
            return behind
                    ? overtake(found.get(), stale.newest()).compose(ignored -> reload(secret))
                    : Future.succeededFuture(found);
        });
    }

    private Future<Optional<CachedKey>> reload(KeyHash secret) {
        cache.forget(secret);
        return Future.fromCompletionStage(cache.lookUp(secret));
    }

    private Future<Long> overtake(CachedKey key, long newest) {
        return vertx.executeBlocking(() -> keys.overtake(key.id(), newest), false);
    }
}
