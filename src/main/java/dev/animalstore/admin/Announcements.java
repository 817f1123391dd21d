package dev.animalstore.admin;

import dev.animalstore.key.KeyDetails;
import dev.animalstore.key.UnraisedVersions;
import dev.animalstore.key.UnraisedVersions.KeyVersion;
import dev.animalstore.quota.QuotaMeter;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Makes committed changes of keys known to all replicas, by raising their versions in Redis. What cannot be made known at once, because
 * Redis is unavailable or the process ends between the commit and the raise, is done by any replica within a second or so of when it can be.
 */
@Singleton
class Announcements {
    /** How long an operator waits at most for a Redis that is slow, so that the change holds from the next request. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final UnraisedVersions unraised;
    private final QuotaMeter meter;
    private boolean ended;

    Announcements(UnraisedVersions unraised, QuotaMeter meter) {
        this.unraised = unraised;
        this.meter = meter;
    }

    /** Makes a change known, or leaves that for later if Redis does not answer for about a second. Blocks. */
    void announce(KeyDetails changed) {
        raise(new KeyVersion(changed.id(), changed.version()), PATIENCE);
    }

    /** Replicas that do so at the same time do the same, which does no harm. */
    @Scheduled(every = "1s", delayed = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    synchronized void announceTheRest() {
        if (ended || meter.isDegraded()) {
            return;
        }
        for (KeyVersion due : unraised.list()) {
            if (!raise(due, Duration.ZERO)) {
                return;
            }
        }
    }

    /** Waits for what is being announced, since the database and Redis are not to be had any more afterwards. */
    synchronized void announceNoMore(@Observes ShutdownEvent shutdown) {
        ended = true;
    }

    private boolean raise(KeyVersion due, Duration patience) {
        boolean known = meter.raise(due.keyId(), due.version(), patience)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        if (known) {
            unraised.forget(due);
        }
        return known;
    }
}
