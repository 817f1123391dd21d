package dev.animalstore.usage;

import dev.animalstore.quota.DayCount;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Writes usage. Each method is one transaction, and writes rows in the order of their keys, so that two replicas that write the same rows
 * cannot deadlock. Usage of a key that PostgreSQL has lost is not stored.
 */
@Singleton
final class UsageRepository {
    /** The number of rows that can be written well within the timeout of a statement. */
    static final int BATCH = 500;

    private static final String COUNTS = """
            from unnest(cast(?1 as bigint[]), cast(?2 as bigint[]), cast(?3 as bigint[]), cast(?4 as bigint[]), cast(?5 as bigint[]),
                        cast(?6 as bigint[])) as found (key_id, day, admitted, refused, banned, incarnation)
            where exists (select from api_key where id = key_id)
            order by key_id, day
            on conflict (key_id, day) do update set
            """;

    /**
     * For the incarnation of the row, adds what exceeds its counts; for a newer one, adds everything. Rows that would not change are not
     * written.
     */
    private static final String MERGE = """
            insert into usage_day as kept
                (key_id, day, admitted, refused, banned, incarnation, counted_admitted, counted_refused, counted_banned)
            select key_id, date '1970-01-01' + cast(day as integer), admitted, refused, banned, incarnation, admitted, refused, banned
            """ + COUNTS + """
                admitted = kept.admitted + case when excluded.incarnation > kept.incarnation then excluded.admitted
                                                else greatest(excluded.admitted - kept.counted_admitted, 0) end,
                refused = kept.refused + case when excluded.incarnation > kept.incarnation then excluded.refused
                                              else greatest(excluded.refused - kept.counted_refused, 0) end,
                banned = kept.banned + case when excluded.incarnation > kept.incarnation then excluded.banned
                                            else greatest(excluded.banned - kept.counted_banned, 0) end,
                counted_admitted = case when excluded.incarnation > kept.incarnation then excluded.admitted
                                        else greatest(excluded.admitted, kept.counted_admitted) end,
                counted_refused = case when excluded.incarnation > kept.incarnation then excluded.refused
                                       else greatest(excluded.refused, kept.counted_refused) end,
                counted_banned = case when excluded.incarnation > kept.incarnation then excluded.banned
                                      else greatest(excluded.banned, kept.counted_banned) end,
                incarnation = excluded.incarnation
            where excluded.incarnation > kept.incarnation
                or (excluded.incarnation = kept.incarnation
                    and (excluded.admitted > kept.counted_admitted or excluded.refused > kept.counted_refused
                         or excluded.banned > kept.counted_banned))""";

    private static final String ADD = """
            insert into usage_day as kept (key_id, day, admitted, refused, banned)
            select key_id, date '1970-01-01' + cast(day as integer), admitted, refused, banned
            """ + COUNTS + """
                admitted = kept.admitted + excluded.admitted,
                refused = kept.refused + excluded.refused,
                banned = kept.banned + excluded.banned""";

    /** Changes nothing if the number is already recorded. */
    private static final String RECORD_ADDITION = """
            insert into usage_addition as last (replica, number, added_at) values (?1, ?2, now())
            on conflict (replica) do update set number = excluded.number, added_at = excluded.added_at
            where last.number < excluded.number""";

    /** Does not raise the version, since no decision on a request depends on the last use. */
    private static final String LAST_USE = """
            update api_key set last_used_at = used.at
            from (select unnest(?1) as id, to_timestamp(unnest(?2) / 1000.0) as at) used
            where api_key.id = used.id and (last_used_at is null or last_used_at < used.at)""";

    private static final String ALL_KEYS = """
            select id
            from api_key
            where id > ?1 order by id limit ?2""";

    private final EntityManager database;

    UsageRepository(EntityManager database) {
        this.database = database;
    }

    /**
     * Adds the part of Redis's counts that is not stored yet. Idempotent.
     *
     * @param counts of at most {@value #BATCH} keys
     * @param lastUsedMillis when a request of each key was last admitted, in milliseconds; 0 if unknown
     * @return how many rows were written
     */
    int merge(List<DayCount> counts, Map<Long, Long> lastUsedMillis) {
        return QuarkusTransaction.requiringNew().call(() -> {
            int written = 0;
            for (List<DayCount> distinct : distinctDays(counts)) {
                written += bind(MERGE, distinct).executeUpdate();
            }
            recordLastUse(lastUsedMillis);
            return written;
        });
    }

    /**
     * Adds the counts of a replica's local decisions, unless it has already added them with the same number.
     *
     * @param counts of distinct keys and days, at most {@value #BATCH}
     */
    void addOnce(UUID replica, long number, List<DayCount> counts) {
        QuarkusTransaction.requiringNew().run(() -> {
            int recorded = database.createNativeQuery(RECORD_ADDITION)
                    .setParameter(1, replica)
                    .setParameter(2, number)
                    .executeUpdate();
            if (recorded == 1) {
                bind(ADD, counts).executeUpdate();
            }
        });
    }

    /** At most {@value #BATCH} keys after an identifier, in ascending order. */
    @SuppressWarnings("unchecked")
    List<Long> keysAfter(long id) {
        return QuarkusTransaction.requiringNew()
                .call(() -> (List<Long>) database.createNativeQuery(ALL_KEYS, Long.class)
                        .setParameter(1, id)
                        .setParameter(2, BATCH)
                        .getResultList());
    }

    /**
     * Splits the counts, because one statement can change a row only once. A key has several counts of a day only if Redis's clock was set
     * back to it.
     */
    private static List<List<DayCount>> distinctDays(List<DayCount> counts) {
        List<DayCount> ordered = counts.stream()
                .sorted(Comparator.comparingLong(DayCount::incarnation))
                .toList();
        List<List<DayCount>> parts = new ArrayList<>();
        for (List<DayCount> rest = ordered; !rest.isEmpty(); ) {
            Set<UsageDay.Identity> seen = new HashSet<>();
            List<DayCount> part = new ArrayList<>();
            List<DayCount> later = new ArrayList<>();
            rest.forEach(
                    count -> (seen.add(new UsageDay.Identity(count.subject(), count.day())) ? part : later).add(count));
            parts.add(part);
            rest = later;
        }
        return parts;
    }

    private void recordLastUse(Map<Long, Long> lastUsedMillis) {
        List<Map.Entry<Long, Long>> used = lastUsedMillis.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.comparingByKey())
                .toList();
        if (!used.isEmpty()) {
            database.createNativeQuery(LAST_USE)
                    .setParameter(1, used.stream().map(Map.Entry::getKey).toArray(Long[]::new))
                    .setParameter(2, used.stream().map(Map.Entry::getValue).toArray(Long[]::new))
                    .executeUpdate();
        }
    }

    private Query bind(String sql, List<DayCount> counts) {
        return database.createNativeQuery(sql)
                .setParameter(1, column(counts, DayCount::subject))
                .setParameter(2, column(counts, count -> count.day().toEpochDay()))
                .setParameter(3, column(counts, DayCount::admitted))
                .setParameter(4, column(counts, DayCount::refused))
                .setParameter(5, column(counts, DayCount::banned))
                .setParameter(6, column(counts, DayCount::incarnation));
    }

    private static Long[] column(List<DayCount> counts, Function<DayCount, Long> value) {
        return counts.stream().map(value).toArray(Long[]::new);
    }
}
