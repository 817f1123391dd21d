package dev.animalstore.usage;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.persistence.EntityManager;
import java.time.LocalDate;
import java.util.List;

/**
 * Reads usage. Each method is one query, without a transaction. Days are UTC days, and both ends are inclusive. Sums read all rows of those
 * days, and fail if PostgreSQL cannot do so within the timeout of a statement; pages, and the days of a key, read only what they return.
 */
@ApplicationScoped
@ActivateRequestContext
public class UsageReports {
    static final String OF_KEY = """
            select day - date '1970-01-01', admitted, refused, banned
            from usage_day
            where key_id = ?1 and day between ?2 and ?3
            order by day""";

    /**
     * Begins with the next keys of each day, as many as the page can have, and one that may have been on the page before. So its time does not
     * depend on the number of keys that were not used.
     */
    static final String PAGE = """
            with used as (
                select distinct key_id
                from generate_series(cast(?1 as timestamp), cast(?2 as timestamp), interval '1 day') at cross join lateral (
                    select key_id from usage_day where day = cast(at as date) and key_id >= ?3 order by key_id limit ?5 + 1) next
                order by key_id
                limit ?5 + 1)
            select k.id, k.owner, k.plan, u.day - date '1970-01-01', u.admitted, u.refused, u.banned
            from used join api_key k on k.id = used.key_id cross join lateral (
                select *
                from usage_day
                where key_id = used.key_id and day between ?1 and ?2 and (key_id, day) > (?3, ?4)
                order by day
                limit ?5) u
            order by k.id, u.day
            limit ?5""";

    private static final String BY_PLAN = """
            select k.plan, sum(u.admitted), sum(u.refused), sum(u.banned)
            from usage_day u join api_key k on k.id = u.key_id
            where u.day between ?1 and ?2
            group by k.plan
            order by sum(u.admitted) desc, k.plan""";

    private static final String BY_KEY = """
            select k.id, k.owner, k.plan, u.admitted, u.refused, u.banned
            from (select key_id, sum(admitted) as admitted, sum(refused) as refused, sum(banned) as banned
                  from usage_day where day between ?1 and ?2 group by key_id having %1$s > 0 order by %1$s desc, key_id limit ?3) u
            join api_key k on k.id = u.key_id
            order by u.%2$s desc, k.id""";

    private static final String MOST_ADMITTED = BY_KEY.formatted("sum(admitted)", "admitted");
    private static final String MOST_REFUSED =
            BY_KEY.replace("u.%2$s", "u.refused + u.banned").formatted("sum(refused + banned)");

    private static final String BANNED = """
            select distinct key_id from usage_day where day between ?1 and ?2 and banned > 0 order by key_id limit ?3""";

    private final EntityManager database;

    UsageReports(EntityManager database) {
        this.database = database;
    }

    /** The days on which a key sent requests, in ascending order. */
    public List<DayUsage> ofKey(long key, LocalDate from, LocalDate to) {
        return rows(OF_KEY, key, from, to).stream()
                .map(row -> new DayUsage(
                        LocalDate.ofEpochDay(number(row[0])), number(row[1]), number(row[2]), number(row[3])))
                .toList();
    }

    /**
     * The usage of all keys, ordered by key, then day.
     *
     * @param after the position after which the page begins, from {@link KeyDayUsage#position}; 0 for the first page
     */
    public List<KeyDayUsage> page(LocalDate from, LocalDate to, long after, int count) {
        LocalDate day = LocalDate.ofEpochDay(KeyDayUsage.dayAt(after));
        return rows(PAGE, from, to, KeyDayUsage.keyAt(after), day, count).stream()
                .map(row -> new KeyDayUsage(
                        number(row[0]),
                        (String) row[1],
                        (String) row[2],
                        LocalDate.ofEpochDay(number(row[3])),
                        number(row[4]),
                        number(row[5]),
                        number(row[6])))
                .toList();
    }

    /** The sum of each plan with usage, by the current plans of the keys, the most used one first. */
    public List<PlanTotal> ofPlans(LocalDate from, LocalDate to) {
        return rows(BY_PLAN, from, to).stream()
                .map(row -> new PlanTotal((String) row[0], number(row[1]), number(row[2]), number(row[3])))
                .toList();
    }

    /** The keys with the most admitted requests, in descending order. */
    public List<KeyTotal> mostAdmitted(LocalDate from, LocalDate to, int count) {
        return ofKeys(MOST_ADMITTED, from, to, count);
    }

    /** The keys with the most refused requests, by quota or ban, in descending order. */
    public List<KeyTotal> mostRefused(LocalDate from, LocalDate to, int count) {
        return ofKeys(MOST_REFUSED, from, to, count);
    }

    /** Keys that were banned on one of those days, in ascending order. */
    @SuppressWarnings("unchecked")
    public List<Long> banned(LocalDate from, LocalDate to, int count) {
        return database.createNativeQuery(BANNED, Long.class)
                .setParameter(1, from)
                .setParameter(2, to)
                .setParameter(3, count)
                .getResultList();
    }

    private List<KeyTotal> ofKeys(String query, LocalDate from, LocalDate to, int count) {
        return rows(query, from, to, count).stream()
                .map(row -> new KeyTotal(
                        number(row[0]),
                        (String) row[1],
                        (String) row[2],
                        number(row[3]),
                        number(row[4]),
                        number(row[5])))
                .toList();
    }

    @SuppressWarnings("unchecked")
    private List<Object[]> rows(String sql, Object... parameters) {
        var query = database.createNativeQuery(sql, Object[].class);
        for (int i = 0; i < parameters.length; i++) {
            query.setParameter(i + 1, parameters[i]);
        }
        return query.getResultList();
    }

    private static long number(Object column) {
        return ((Number) column).longValue();
    }

    /**
     * The requests of a key on one UTC day, by outcome.
     *
     * @param refused those that got {@code rate_limit_exceeded}
     * @param banned those that got {@code key_banned}
     */
    public record DayUsage(LocalDate day, long admitted, long refused, long banned) {}

    /** The requests of all keys of a plan, by outcome, as in {@link DayUsage}. */
    public record PlanTotal(String plan, long admitted, long refused, long banned) {}

    /** The requests of a key on some days, by outcome, as in {@link DayUsage}. */
    public record KeyTotal(long key, String owner, String plan, long admitted, long refused, long banned) {}

    /**
     * The usage of one key on one UTC day, with the key's current owner and plan.
     *
     * @param key identifies the key
     * @param refused requests that got {@code rate_limit_exceeded}
     * @param banned requests that got {@code key_banned}
     */
    public record KeyDayUsage(
            long key, String owner, String plan, LocalDate day, long admitted, long refused, long banned) {
        /** The number of bits of a position for the day, enough until the year 4840. */
        private static final int DAY_BITS = 20;

        /** The position in a list ordered by key, then day: a positive, ascending number. */
        public long position() {
            return key << DAY_BITS | day.toEpochDay();
        }

        static long keyAt(long position) {
            return position >> DAY_BITS;
        }

        /** The day in a position, in days since 1970. */
        static long dayAt(long position) {
            return position & ((1L << DAY_BITS) - 1);
        }
    }
}
