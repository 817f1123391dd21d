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
 * Reads a key anew whose copy is older than a version that Redis knows.
 *
 * <p>A version is raised in Redis after it was committed in PostgreSQL, so a query that begins once Redis has told of a version finds at
 * least that one. If it does not, PostgreSQL has gone back: it was restored, or a fail-over has lost the commit. What it holds now counts, and
 * is given a version that is newer than all that any replica has a copy of.
 */
@Singleton
final class OutdatedCopies {
    private final KeyCache directory;
    private final KeyRegistry keys;
    private final Vertx vertx;

    OutdatedCopies(KeyCache directory, KeyRegistry keys, Vertx vertx) {
        this.directory = directory;
        this.keys = keys;
        this.vertx = vertx;
    }

    /** The key of a secret as it is by now. Never blocks. */
    Future<Optional<CachedKey>> renew(KeyHash secret, CachedKey copy, Stale stale) {
        return lookAnew(secret).compose(found -> {
            boolean behind = found.isPresent()
                    && found.get().id() == copy.id()
                    && found.get().version() < stale.newest();
            return behind
                    ? overtake(found.get(), stale.newest()).compose(done -> lookAnew(secret))
                    : Future.succeededFuture(found);
        });
    }

    private Future<Optional<CachedKey>> lookAnew(KeyHash secret) {
        directory.forget(secret);
        return Future.fromCompletionStage(directory.lookUp(secret));
    }

    private Future<Long> overtake(CachedKey key, long newest) {
        return vertx.executeBlocking(() -> keys.overtake(key.id(), newest), false);
    }
}
