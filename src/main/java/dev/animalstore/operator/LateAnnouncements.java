package dev.animalstore.operator;

import dev.animalstore.key.ApiKey;
import dev.animalstore.quota.QuotaLimiter;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Future;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Announces changes of keys that were committed but not announced: their replica alone was cut off from Redis, or was killed after the commit.
 * Otherwise Redis would go on confirming the copies of other replicas. Each replica announces all such changes, so one that reaches Redis is
 * enough.
 *
 * <p>A change that was announced before the operator got the response is announced once more, which changes nothing.
 */
@Singleton
class LateAnnouncements {
    private static final Logger LOG = Logger.getLogger(LateAnnouncements.class);

    /** Well within the time for which a copy decides without Redis. */
    private static final int EVERY_SECONDS = 10;

    private static final int MOST_CHANGES = 1000;

    private final QuotaLimiter quotas;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(run -> new Thread(run, "late-announcements"));

    LateAnnouncements(QuotaLimiter quotas) {
        this.quotas = quotas;
    }

    void start(@Observes StartupEvent start) {
        var unused = timer.scheduleWithFixedDelay(this::announce, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    void end(@Observes ShutdownEvent shutdown) {
        timer.shutdown();
    }

    /** What Redis does not confirm, or PostgreSQL does not provide, is left for the next run. */
    void announce() {
        try {
            List<KeyChange> changes;
            do {
                changes = QuarkusTransaction.requiringNew().call(() -> KeyChange.unannounced(MOST_CHANGES));
            } while (announce(changes) && changes.size() == MOST_CHANGES);
        } catch (RuntimeException | Error e) {
            LOG.warnf("Changes of keys could not be announced; the next run retries: %s", e.getMessage());
        }
    }

    /** Whether all were announced. */
    private boolean announce(List<KeyChange> changes) {
        if (changes.isEmpty()) {
            return true;
        }
        List<Long> ids = changes.stream().map(change -> change.keyId).distinct().toList();
        // Read after the changes, so their versions are those of the changes or newer.
        List<ApiKey> keys = QuarkusTransaction.requiringNew()
                .call(() -> ApiKey.<ApiKey>findByIds(ids).stream()
                        .filter(Objects::nonNull)
                        .toList());
        Set<Long> unconfirmed = new HashSet<>(KeyOperations.await(Future.all(keys.stream()
                        .map(key -> quotas.announce(KeyOperations.subject(key)).map(done -> done ? null : key.id))
                        .toList()))
                .list());
        List<KeyChange> announced = changes.stream()
                .filter(change -> !unconfirmed.contains(change.keyId))
                .toList();
        QuarkusTransaction.requiringNew().run(() -> KeyChange.setAnnounced(announced));
        return announced.size() == changes.size();
    }
}
