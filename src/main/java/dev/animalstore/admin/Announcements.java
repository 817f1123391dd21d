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
 * Makes committed changes of keys, and lifted bans, known to all replicas, by raising the keys' versions in Redis. What cannot be made known
 * at once, because Redis is unavailable or the process ends between the commit and the raise, is done by any replica within a second or so of
 * when it can be.
 */
@Singleton
class Announcements {
    /** How long an operator waits at most for a Redis that is slow, so that the change holds from the next request. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final KeyRegistry keys;
    private final UnraisedVersions unraised;
    private final QuotaLimiter meter;

    /** What this replica could not make known, by key. It is recorded in PostgreSQL too, which may be gone when Redis is back. */
    private final Map<Long, KeyVersion> untold = new ConcurrentHashMap<>();

    private boolean ended;

    Announcements(KeyRegistry keys, UnraisedVersions unraised, QuotaLimiter meter) {
        this.keys = keys;
        this.unraised = unraised;
        this.meter = meter;
    }

    /** Makes a change known, or leaves that for later if Redis does not answer for about a second. Blocks. */
    void announce(KeyDetails changed) {
        announce(new KeyVersion(changed.id(), changed.version(), false));
    }

    /** Lifts the ban of a key, as {@link #announce} makes a change known. */
    void announceLiftedBan(KeyDetails key) {
        announce(new KeyVersion(key.id(), key.version(), true));
    }

    private void announce(KeyVersion due) {
        if (!raise(due, PATIENCE)) {
            untold.merge(due.keyId(), due, KeyVersion::and);
        }
    }

    /** Replicas that do so at the same time, or once more after a raise that failed but was done late, do the same, which does no harm. */
    @Scheduled(every = "1s", delayed = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    synchronized void announceTheRest() {
        if (!ended) {
            raiseAll(untold.values());
            raiseAll(unraised.list());
        }
    }

    private void raiseAll(Collection<KeyVersion> all) {
        all.stream().filter(KeyVersion::banLifted).forEach(due -> meter.liftBanLocally(due.keyId(), due.version()));
        for (KeyVersion due : all) {
            if (meter.isDegraded() || !raise(due, Duration.ZERO)) {
                return;
            }
            untold.remove(due.keyId(), due);
        }
    }

    /** Waits for what is being announced, since the database and Redis are not to be had any more afterwards. */
    synchronized void announceNoMore(@Observes ShutdownEvent shutdown) {
        ended = true;
    }

    /**
     * Has Redis know a version, and no newer one that PostgreSQL has lost: such a one would let replicas believe copies from before the loss.
     * Versions are unique, so one that is known already is not that of a lost change.
     */
    private boolean raise(KeyVersion due, Duration patience) {
        Optional<Long> known = meter.raiseVersion(due.keyId(), due.version(), due.banLifted(), patience)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        if (known.isEmpty()) {
            return false;
        }
        if (known.get() > due.version()) {
            return overtake(due, known.get())
                    .map(newer -> raise(newer, patience))
                    .orElse(false);
        }
        unraised.forget(due);
        return true;
    }

    /** The version of a key that is to be known instead of one that may have been lost; empty while the database fails. */
    private Optional<KeyVersion> overtake(KeyVersion due, long known) {
        try {
            return Optional.of(new KeyVersion(due.keyId(), keys.overtake(due.keyId(), known), due.banLifted()));
        } catch (RuntimeException unavailable) {
            return Optional.empty();
        }
    }
}
