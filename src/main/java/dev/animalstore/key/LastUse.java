package dev.animalstore.key;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Remembers when each key was last used and writes it to the database in batches, so that a request costs no write. What is written is
 * behind by {@value #FLUSH_SECONDS} seconds at the most; what a replica that dies has not written is lost.
 */
@Singleton
public final class LastUse {
    static final int FLUSH_SECONDS = 20;

    /** So many keys at a time as are written well within the time that a statement has. */
    static final int BATCH = 1000;

    private static final Logger LOG = Logger.getLogger(LastUse.class);

    /** A change of this kind does not raise the version: nothing that decides on a request depends on it. */
    private static final String UPDATE = """
            update api_key set last_used_at = used.at
            from (select unnest(?1) as id, to_timestamp(unnest(?2) / 1000.0) as at) used
            where api_key.id = used.id and (last_used_at is null or last_used_at < used.at)""";

    private final ConcurrentHashMap<Long, Long> uses = new ConcurrentHashMap<>();
    private final EntityManager database;
    private final Clock clock;

    LastUse(EntityManager database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Notes that a key was used now. Does no I/O. */
    public void note(long keyId) {
        uses.put(keyId, clock.millis());
    }

    @Scheduled(every = FLUSH_SECONDS + "s", delayed = FLUSH_SECONDS + "s")
    void flush() {
        List<Map.Entry<Long, Long>> due = uses.entrySet().stream()
                .map(Map.Entry::copyOf)
                .sorted(Map.Entry.comparingByKey())
                .toList();
        try {
            for (int from = 0; from < due.size(); from += BATCH) {
                write(due.subList(from, Math.min(due.size(), from + BATCH)));
            }
        } catch (RuntimeException e) {
            LOG.warnf("The last use of %d keys could not be written and is kept: %s", uses.size(), e.getMessage());
        }
    }

    void flushTheRest(@Observes ShutdownEvent shutdown) {
        flush();
    }

    /** In the order of the keys, so that two replicas that write the same ones wait for each other and never in a circle. */
    private void write(List<Map.Entry<Long, Long>> batch) {
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeQuery(UPDATE)
                        .setParameter(1, batch.stream().map(Map.Entry::getKey).toArray(Long[]::new))
                        .setParameter(2, batch.stream().map(Map.Entry::getValue).toArray(Long[]::new))
                        .executeUpdate());
        batch.forEach(use -> uses.remove(use.getKey(), use.getValue()));
    }
}
