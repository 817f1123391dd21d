package dev.animalstore.metering.usage;

import dev.animalstore.metering.quota.DayCounters.DayCount;
import dev.animalstore.metering.quota.SubjectId;
import io.quarkus.hibernate.orm.PersistenceUnit;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.core.json.Json;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/**
 * Writes and removes usage. Each statement has its own commit, so a replica that freezes holds no lock of a row. Rows are written in
 * the order of their keys, so that two replicas that write the same rows cannot deadlock. Usage of a key that PostgreSQL has lost is not
 * stored, even if another key has its identifier now.
 */
@Singleton
@ActivateRequestContext
@RegisterForReflection(targets = {DayCount.class, SubjectId.class})
class UsageRepository {
    /** The number of rows that can be written well within the timeout of a statement. */
    static final int BATCH = 500;

    /**
     * The greater of the stored and the present figure stands. Rows that would not change are not locked. The plan is the present one of the
     * key, unless the row is of a past day, since it may have changed meanwhile.
     */
    private static final String MERGE = """
            insert into metering.usage_day as kept (key_id, day, plan, admitted, refused, banned)
            select c.*
            from (select subject as key_id, date '1970-01-01' + day as day, plan,
                         max(admitted) as admitted, max(refused) as refused, max(banned) as banned
                  from json_to_recordset(cast(?1 as json))
                      as counted (subject bigint, created bigint, day integer, admitted bigint, refused bigint, banned bigint)
                  join metering.api_key on id = subject and created_at = timestamptz 'epoch' + created * interval '1 microsecond'
                  group by subject, day, plan) c
            left join metering.usage_day u on u.key_id = c.key_id and u.day = c.day
            where u.day is null or u.admitted < c.admitted or u.refused < c.refused or u.banned < c.banned
            order by c.key_id, c.day
            on conflict (key_id, day) do update set
                plan = case when kept.day < cast(now() at time zone 'UTC' as date) then kept.plan else excluded.plan end,
                admitted = greatest(kept.admitted, excluded.admitted),
                refused = greatest(kept.refused, excluded.refused),
                banned = greatest(kept.banned, excluded.banned)
            returning 1""";

    /**
     * Only what is more than a minute older is written. The version is not raised, since no decision on a request depends on the last use.
     * Returns the keys whose rows are locked by others.
     */
    private static final String LAST_USE = """
            with used as (
                select k.id, u.at
                from metering.api_key k join (select unnest(?1) as id, to_timestamp(unnest(?2) / 1000.0) as at) u on u.id = k.id
                where u.at > 'epoch' and (k.last_used_at is null or k.last_used_at < u.at - interval '1 minute')),
            free as (
                select id from metering.api_key where id in (select id from used) order by id
                for no key update skip locked),
            written as (
                update metering.api_key set last_used_at = greatest(last_used_at, used.at)
                from used join free using (id)
                where api_key.id = used.id)
            select id from used where id not in (select id from free)""";

    private static final String KEYS = """
            select id, cast(extract(epoch from created_at) * 1000000 as bigint) as created
            from metering.api_key where id > ?1 order by id limit ?2""";

    /** The number is that of no other lock. */
    private static final String LOCK_SWEEP = "select 1 where pg_try_advisory_xact_lock(4790271)";

    /** Far longer than a sweep takes. */
    private static final int SWEEP_SECONDS = 3600;

    /** The number of old rows that are removed at once. */
    private static final int REMOVED = 1000;

    /** Skips rows that another replica is removing. */
    private static final String REMOVE_USAGE = """
            delete from metering.usage_day where ctid = any (array(
                select ctid from metering.usage_day where day < cast(now() at time zone 'UTC' as date) - cast(?1 as integer)
                order by day, key_id limit %d for update skip locked))
            returning 1""".formatted(REMOVED);

    /** Locks nothing first, for which the service would need the right to update records. Waits for another replica that removes the same ones. */
    private static final String REMOVE_CHANGES = """
            delete from metering.key_change where id = any (array(
                select id from metering.key_change where at < now() - cast(?1 as integer) * interval '1 day' order by at, id limit %d))
            returning 1""".formatted(REMOVED);

    /**
     * In one sweep, which is enough for 480,000 changes a day. While a transaction of anybody is open, each removal reads past the records that were
     * removed since it began, so their number must be bounded.
     */
    private static final int MAXIMUM_REMOVALS_OF_CHANGES = 10;

    private final EntityManager database;
    private final Retention retention;

    UsageRepository(@PersistenceUnit("metering") EntityManager database, Retention retention) {
        this.database = database;
        this.retention = retention;
    }

    /**
     * Stores Redis's counts, unless greater ones are stored. Idempotent.
     *
     * @param counts of at most {@value #BATCH} keys
     */
    void merge(List<DayCount> counts) {
        if (!counts.isEmpty()) {
            write(MERGE, Json.encode(counts));
        }
    }

    /**
     * Stores when a request of each of some keys was last admitted, in milliseconds since 1970.
     *
     * @return those keys that could not be written, since their rows are locked by others
     */
    List<Long> recordLastUse(List<SubjectId> keys, Map<SubjectId, Long> lastUsedMillis) {
        Long[] ids = keys.stream().map(SubjectId::number).toArray(Long[]::new);
        Long[] millis = keys.stream().map(lastUsedMillis::get).toArray(Long[]::new);
        return UsageReports.rows(database, Long.class, LAST_USE, ids, millis);
    }

    /** At most {@value #BATCH} keys after an identifier, in ascending order. */
    List<SubjectId> keysAfter(long id) {
        return UsageReports.rows(database, SubjectId.class, KEYS, id, BATCH);
    }

    /** Runs a sweep in a transaction, unless another replica is in one. The lock ends with the transaction, however the replica ends. */
    void exclusively(Runnable sweep) {
        QuarkusTransaction.requiringNew().timeout(SWEEP_SECONDS).run(() -> {
            if (write(LOCK_SWEEP) == 1) {
                sweep.run();
            }
        });
    }

    /**
     * Removes usage that is older than its retention, and changes of keys, at most {@value #MAXIMUM_REMOVALS_OF_CHANGES} thousand of them. Each
     * thousand has its own commit.
     */
    void removeOld() {
        while (remove(REMOVE_USAGE)) {
            // More may be left.
        }
        int removals = 1;
        while (remove(REMOVE_CHANGES) && removals < MAXIMUM_REMOVALS_OF_CHANGES) {
            removals++;
        }
    }

    /** Returns whether there may be more. */
    private boolean remove(String statement) {
        return write(statement, retention.keep().toDays()) == REMOVED;
    }

    /**
     * Returns how many rows a statement wrote or removed. Each returns a number for each row and is read like a query, since
     * {@code executeUpdate} needs a transaction, which takes more round trips and, if the replica freezes in it, holds its locks.
     */
    private int write(String sql, Object... parameters) {
        return UsageReports.rows(database, Long.class, sql, parameters).size();
    }

    /** How long usage and the records of changes are kept, in whole days (docs/configuration.md). */
    @ConfigMapping(prefix = "animalstore.usage")
    interface Retention {
        @WithDefault("400d")
        @DurationMin(days = 1)
        @DurationMax(days = 36_500)
        Duration keep();
    }
}
