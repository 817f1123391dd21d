package dev.animalstore.usage;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.LocalDate;
import org.jboss.logging.Logger;

/** Removes usage that is older than its retention, in small transactions. Every hour each replica removes a part. */
@Singleton
final class UsageRemoval {
    /** The number of rows that can be removed well within the timeout of a statement. */
    static final int BATCH = 1000;

    /** Limits how long a backlog occupies a thread and the database. */
    private static final int MAXIMUM_BATCHES = 200;

    private static final Logger LOG = Logger.getLogger(UsageRemoval.class);

    /** Skips rows that another replica is removing. */
    static final String REMOVE_DAYS = """
            delete from usage_day
            where ctid = any (array(
                select ctid from usage_day where day < ?1 order by day, key_id limit ?2 for update skip locked))""";

    /** Much longer than a replica may repeat an addition. */
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
            LOG.warnf("Old usage could not be removed; the next run retries: %s", e.getMessage());
        }
    }
}
