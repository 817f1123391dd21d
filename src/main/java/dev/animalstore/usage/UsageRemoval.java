package dev.animalstore.usage;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.LocalDate;
import org.jboss.logging.Logger;

/** Removes usage that is older than it is kept, in small transactions, of which each replica does some of an hour's. */
@Singleton
final class UsageRemoval {
    /** So many rows at a time as are removed well within the time that a statement has. */
    static final int BATCH = 1000;

    /** So that a backlog does not keep a thread and the database busy. */
    private static final int MAXIMUM_BATCHES = 200;

    private static final Logger LOG = Logger.getLogger(UsageRemoval.class);

    /** What another replica removes at the moment is left to it. */
    static final String REMOVE_DAYS = """
            delete from usage_day
            where ctid = any (array(
                select ctid from usage_day where day < ?1 order by day, key_id limit ?2 for update skip locked))""";

    /** Much later than any replica still repeats an addition. */
    private static final String REMOVE_REPLICAS = """
            delete from usage_addition
            where added_at < now() - interval '30 days'""";

    private final EntityManager database;
    private final Clock clock;
    private final UsageConfig config;

    UsageRemoval(EntityManager database, Clock clock, UsageConfig config) {
        this.database = database;
        this.clock = clock;
        this.config = config;
    }

    @Scheduled(every = "1h", delayed = "5m", concurrentExecution = ConcurrentExecution.SKIP)
    void removeOld() {
        LocalDate first = LocalDate.now(clock).minusDays(config.keep().toDays());
        try {
            int removed = BATCH;
            for (int batch = 0; removed == BATCH && batch < MAXIMUM_BATCHES; batch++) {
                removed = QuarkusTransaction.requiringNew()
                        .call(() -> database.createNativeQuery(REMOVE_DAYS)
                                .setParameter(1, first)
                                .setParameter(2, BATCH)
                                .executeUpdate());
            }
            QuarkusTransaction.requiringNew()
                    .run(() -> database.createNativeQuery(REMOVE_REPLICAS).executeUpdate());
        } catch (RuntimeException e) {
            LOG.warnf("Old usage could not be removed, which is tried again: %s", e.getMessage());
        }
    }
}
