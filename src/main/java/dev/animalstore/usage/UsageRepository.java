package dev.animalstore.usage;

import dev.animalstore.quota.DayCounters.DayCount;
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
import java.util.UUID;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/**
 * Writes and removes usage. Each method is one statement with its own commit, so a replica that freezes holds no lock. Rows are written in
 * the order of their keys, so that two replicas that write the same rows cannot deadlock. Usage of a key that PostgreSQL has lost is not
 * stored, even if another key has its identifier now.
 */
@Singleton
@ActivateRequestContext
@RegisterForReflection(targets = DayCount.class)
class UsageRepository {
    /** The number of rows that can be written well within the timeout of a statement. */
    static final int BATCH = 500;

    private static final String COUNTS = """
            with usage_counts as (
                select subject as key_id, date '1970-01-01' + day as day,
                       max(admitted) as admitted, max(refused) as refused, max(banned) as banned
                from json_to_recordset(cast(?1 as json))
                    as counted (subject bigint, origin bigint, day integer, admitted bigint, refused bigint, banned bigint)
                where exists (
                    select from api_key
                    where id = subject and (origin = 0 or created_at = timestamptz 'epoch' + origin * interval '1 microsecond'))
                group by subject, day)
            """;

    /** The greater of the stored and the present figure stands, beside local decisions. Rows that would not change are not locked. */
    private static final String MERGE = COUNTS + """
            insert into usage_day as kept (key_id, day, admitted, refused, banned)
            select key_id, day, admitted, refused, banned
            from usage_counts c
            where not exists (
                select from usage_day u
                where u.key_id = c.key_id and u.day = c.day and u.admitted >= c.admitted + u.local_admitted
                  and u.refused >= c.refused + u.local_refused and u.banned >= c.banned + u.local_banned)
            order by key_id, day
            on conflict (key_id, day) do update set
                admitted = greatest(kept.admitted, excluded.admitted + kept.local_admitted),
                refused = greatest(kept.refused, excluded.refused + kept.local_refused),
                banned = greatest(kept.banned, excluded.banned + kept.local_banned)
            returning 1""";

    /** Adds nothing if the addition is already recorded. Forgets additions after a time in which no replica repeats them. */
    private static final String ADD = COUNTS + """
            , forgotten as (
                delete from usage_addition where added_at < now() - interval '30 days'),
            recorded as (
                insert into usage_addition (replica, number, added_at) values (?2, 0, now()) on conflict do nothing returning 1)
            insert into usage_day as kept
                (key_id, day, admitted, refused, banned, local_admitted, local_refused, local_banned)
            select key_id, day, admitted, refused, banned, admitted, refused, banned
            from usage_counts
            where exists (select from recorded)
            order by key_id, day
            on conflict (key_id, day) do update set
                admitted = kept.admitted + excluded.admitted,
                refused = kept.refused + excluded.refused,
                banned = kept.banned + excluded.banned,
                local_admitted = kept.local_admitted + excluded.admitted,
                local_refused = kept.local_refused + excluded.refused,
                local_banned = kept.local_banned + excluded.banned
            returning 1""";

    /** Does not raise the version, since no decision on a request depends on the last use. */
    private static final String LAST_USE = """
            update api_key set last_used_at = used.at
            from (select unnest(?1) as id, to_timestamp(unnest(?2) / 1000.0) as at) used
            where api_key.id = used.id and used.at > 'epoch' and (last_used_at is null or last_used_at < used.at)
            returning 1""";

    private static final String CLAIM_SWEEP = """
            update usage_sweep set started_at = now() where started_at < now() - interval '55 seconds' returning 1""";

    /** Skips rows that another replica is removing. */
    static final String REMOVE = """
            delete from usage_day where ctid = any (array(
                select ctid from usage_day where day < cast(now() at time zone 'UTC' as date) - cast(?1 as integer)
                order by day, key_id limit 1000 for update skip locked))
            returning 1""";

    private final EntityManager database;
    private final Retention retention;

    UsageRepository(EntityManager database, Retention retention) {
        this.database = database;
        this.retention = retention;
    }

    /**
     * Stores Redis's counts, unless greater ones are stored. Idempotent.
     *
     * @param counts of at most {@value #BATCH} keys
     * @return how many rows were written
     */
    int merge(List<DayCount> counts) {
        return counts.isEmpty() ? 0 : write(MERGE, Json.encode(counts));
    }

    /**
     * Adds the counts of a replica's local decisions.
     *
     * @param addition identifies the addition, which is not made twice
     * @param counts of distinct keys and days, at most {@value #BATCH}
     */
    void addOnce(UUID addition, List<DayCount> counts) {
        if (!counts.isEmpty()) {
            write(ADD, Json.encode(counts), addition);
        }
    }

    /** Stores when a request of each of some keys was last admitted, in milliseconds since 1970. */
    void recordLastUse(List<Long> keys, Map<Long, Long> lastUsedMillis) {
        Long[] millis = keys.stream().map(lastUsedMillis::get).toArray(Long[]::new);
        write(LAST_USE, keys.toArray(Long[]::new), millis);
    }

    /** At most {@value #BATCH} keys after an identifier, in ascending order. */
    List<Long> keysAfter(long id) {
        String sql = "select id from api_key where id > ?1 order by id limit ?2";
        return UsageReports.rows(database, Long.class, sql, id, BATCH);
    }

    /** Whether the caller is to sweep all keys; of all replicas, one is every minute. */
    boolean claimSweep() {
        return write(CLAIM_SWEEP) == 1;
    }

    /** Removes a thousand of the rows that are older than their retention. Every minute, that is more than a million a day. */
    void removeOld() {
        write(REMOVE, retention.keep().toDays());
    }

    /** Returns how many rows a statement wrote or removed; each returns a number. */
    private int write(String sql, Object... parameters) {
        return UsageReports.rows(database, Long.class, sql, parameters).size();
    }

    @ConfigMapping(prefix = "animalstore.usage")
    interface Retention {
        /** How long the usage of a day is kept, in whole days. Each day takes a row of about 150 bytes for each key used. */
        @WithDefault("400d")
        @DurationMin(days = 1)
        @DurationMax(days = 36_500)
        Duration keep();
    }
}
