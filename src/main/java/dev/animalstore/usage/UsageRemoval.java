package dev.animalstore.usage;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jboss.logging.Logger;

/** Removes usage that is older than its retention, in small transactions. Every hour each replica removes a part. */
@Singleton
@ActivateRequestContext
class UsageRemoval {
    /** The number of rows that can be removed well within the timeout of a statement. */
    static final int BATCH = 1000;

    /** Limits how long a backlog occupies a thread and the database. */
    private static final int MAXIMUM_BATCHES = 200;

    private static final Logger LOG = Logger.getLogger(UsageRemoval.class);

    /** Skips rows that another replica is removing. */
    static final String REMOVE_DAYS = """
            with removed as (delete from usage_day
                where ctid = any (array(
                    select ctid from usage_day where day < ?1 order by day, key_id limit ?2 for update skip locked))
                returning 1)
            select count(*) from removed""";

    private final EntityManager database;
    private final Clock clock;
    private final Retention retention;

    UsageRemoval(EntityManager database, Clock clock, Retention retention) {
        this.database = database;
        this.clock = clock;
        this.retention = retention;
    }

    @Scheduled(every = "1h", delayed = "5m", concurrentExecution = ConcurrentExecution.SKIP)
    void removeOld() {
        LocalDate first = LocalDate.now(clock).minusDays(retention.keep().toDays());
        try {
            long removed = BATCH;
            for (int batch = 0; removed == BATCH && batch < MAXIMUM_BATCHES; batch++) {
                removed = (Long) database.createNativeQuery(REMOVE_DAYS, Long.class)
                        .setParameter(1, first)
                        .setParameter(2, BATCH)
                        .getSingleResult();
            }
        } catch (RuntimeException e) {
            LOG.warnf("Old usage could not be removed; the next run retries: %s", e.getMessage());
        }
    }

    /** How long usage is kept. */
    @ConfigMapping(prefix = "animalstore.usage")
    interface Retention {
        String KEEP = "must be from 1 to 36500 days";

        /** How long the usage of a day is kept, in whole days. Each day takes a row of about 150 bytes for each key used. */
        @WithDefault("400d")
        @DurationMin(days = 1, message = KEEP)
        @DurationMax(days = 36_500, message = KEEP)
        Duration keep();
    }
}
