package dev.animalstore.admin;

import dev.animalstore.key.KeyDetails;
import dev.animalstore.key.KeyRegistry;
import dev.animalstore.key.UnraisedVersions;
import dev.animalstore.key.UnraisedVersions.KeyVersion;
import dev.animalstore.quota.QuotaLimiter;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Publishes committed changes of keys, and lifted bans, to all replicas, by raising the keys' versions in Redis. If that fails, because
 * Redis is unavailable or the process ends between the commit and the raise, any replica does it within about a second of when it is
 * possible.
 */
@Singleton
class VersionPublisher {
    /** How long an operator's request waits at most for a slow Redis, so that the change applies from the next request. */
    private static final Duration RETRY_FOR = Duration.ofSeconds(1);

    private final KeyRegistry keys;
    private final UnraisedVersions unraised;
    private final QuotaLimiter limiter;

    /**
     * Versions that this replica could not publish, by key. They are recorded in PostgreSQL too, which may be unavailable when Redis is
     * back.
     */
    private final Map<Long, KeyVersion> unpublished = new ConcurrentHashMap<>();

    private boolean ended;

    VersionPublisher(KeyRegistry keys, UnraisedVersions unraised, QuotaLimiter limiter) {
        this.keys = keys;
        this.unraised = unraised;
        this.limiter = limiter;
    }

    /** Publishes a change, or leaves it to the schedule if Redis does not respond for about a second. Blocks. */
    void publish(KeyDetails changed) {
        publish(new KeyVersion(changed.id(), changed.version(), false));
    }

    /** Publishes that the ban of a key is lifted, in the same way as a change. */
    void publishLiftedBan(KeyDetails key) {
        publish(new KeyVersion(key.id(), key.version(), true));
    }

    private void publish(KeyVersion pending) {
        if (!raise(pending, RETRY_FOR)) {
            unpublished.merge(pending.keyId(), pending, KeyVersion::and);
        }
    }

    /** Publishing a version twice is harmless, on several replicas or after a raise that timed out but was executed later. */
    @Scheduled(every = "1s", delayed = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    synchronized void publishPending() {
        if (!ended) {
            raiseAll(unpublished.values());
            raiseAll(unraised.list());
        }
    }

    private void raiseAll(Collection<KeyVersion> all) {
        all.stream()
                .filter(KeyVersion::banLifted)
                .forEach(pending -> limiter.liftBanLocally(pending.keyId(), pending.version()));
        for (KeyVersion pending : all) {
            if (limiter.isDegraded() || !raise(pending, Duration.ZERO)) {
                return;
            }
            unpublished.remove(pending.keyId(), pending);
        }
    }

    /** Waits for the running publication, since the database and Redis close afterwards. */
    synchronized void stop(@Observes ShutdownEvent shutdown) {
        ended = true;
    }

    /**
     * Raises a version in Redis, above a newer one that PostgreSQL has lost: such a version would let replicas use copies from before the
     * loss. Versions are unique, so a version that Redis already knows is not that of a lost change.
     */
    private boolean raise(KeyVersion pending, Duration retryFor) {
        Optional<Long> known = limiter.raiseVersion(pending.keyId(), pending.version(), pending.banLifted(), retryFor)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        if (known.isEmpty()) {
            return false;
        }
        if (known.get() > pending.version()) {
            return overtake(pending, known.get())
                    .map(newer -> raise(newer, retryFor))
                    .orElse(false);
        }
        unraised.forget(pending);
        return true;
    }

    /** A version above one that may have been lost; empty while the database is unavailable. */
    private Optional<KeyVersion> overtake(KeyVersion pending, long known) {
        try {
            return Optional.of(
                    new KeyVersion(pending.keyId(), keys.overtake(pending.keyId(), known), pending.banLifted()));
        } catch (RuntimeException unavailable) {
            return Optional.empty();
        }
    }
}
