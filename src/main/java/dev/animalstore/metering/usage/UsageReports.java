package dev.animalstore.metering.usage;

import io.quarkus.hibernate.orm.PersistenceUnit;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads usage. Each method is a query, or a few, without a transaction. Days are UTC days, and both ends are inclusive. Sums read all rows of those
 * days, and fail if PostgreSQL cannot do so within the timeout of a statement; pages, and the days of a key, read only what they return.
 */
@ApplicationScoped
@ActivateRequestContext
@RegisterForReflection
public class UsageReports {
    static final String OF_KEY = """
            select day, admitted, refused, banned
            from metering.usage_day
            where key_id = ?1 and day between ?2 and ?3
            order by day""";

    /**
     * The first rows of a range of keys. No day can have more of them than the page, so each is read up to that many. A key that was deleted has
     * no owner.
     */
    private static final String PAGE = """
            select key_id, (select owner from metering.api_key where id = key_id) as owner, plan, day, admitted, refused, banned
            from (
                select used.*
                from generate_series(cast(?1 as timestamp), cast(?2 as timestamp), interval '1 day') at cross join lateral (
                    select key_id, plan, day, admitted, refused, banned
                    from metering.usage_day
                    where day = cast(at as date) and key_id between ?3 and ?5 and (key_id, day) > (?3, ?4)
                    order by key_id
                    limit ?6) used
                order by key_id, day
                limit ?6) u
            order by key_id, day""";

    private static final String LAST_KEY = "select coalesce(max(id), 0) from metering.api_key";

    /** By how much a range of keys is wider than one before it that has no usage. */
    private static final int AFTER_NONE = 16;

    /** By how much a range of keys is wider than another one before it, at most: it may be denser. */
    private static final int AFTER_FEW = 64;

    private static final String BY_DAY = """
            select day, cast(sum(admitted) as bigint), cast(sum(refused) as bigint), cast(sum(banned) as bigint)
            from metering.usage_day
            where day between ?1 and ?2
            group by day
            order by day""";

    private static final String BY_PLAN = """
            select plan, cast(sum(admitted) as bigint), cast(sum(refused) as bigint), cast(sum(banned) as bigint)
            from metering.usage_day
            where day between ?1 and ?2
            group by plan
            order by sum(admitted) desc, plan""";

    /** With the order of the keys in place of {@code %1$s}. A key that was deleted takes no place. */
    private static final String BY_KEY = """
            select k.id, k.owner, k.plan, u.admitted, u.refused, u.banned
            from (select key_id, cast(sum(admitted) as bigint) as admitted, cast(sum(refused) as bigint) as refused,
                         cast(sum(banned) as bigint) as banned, sum(%1$s) as most
                  from metering.usage_day where day between ?1 and ?2 group by key_id having sum(%1$s) > 0) u
            join metering.api_key k on k.id = u.key_id
            order by u.most desc, k.id
            limit ?3""";

    private static final String NEAR_LIMIT = """
            select u.key_id
            from metering.usage_day u join metering.api_key k on k.id = u.key_id join metering.plan p on p.name = k.plan
            where u.day = ?1 and u.admitted >= 0.8 * coalesce(k.per_day, p.per_day) and k.revoked_at is null
            order by u.admitted * 1.0 / coalesce(k.per_day, p.per_day) desc, k.id
            limit ?2""";

    private final EntityManager database;

    UsageReports(@PersistenceUnit("metering") EntityManager database) {
        this.database = database;
    }

    /** The days on which a key sent requests, in ascending order. */
    public List<DayUsage> ofKey(long key, LocalDate from, LocalDate to) {
        return rows(database, DayUsage.class, OF_KEY, key, from, to);
    }

    /**
     * The usage of one key, or of all that exist, ordered by key, then day. Reads range after range of keys, until the page is full. The first range
     * has as many keys as fill the page if each was used on every day. Each further one is as wide as the rows of the one before let expect. So few
     * rows are read in vain, however many days there are, and keys that were not used.
     *
     * @param only the key; 0 for all
     * @param after the position after which the page begins, from {@link KeyDayUsage#position}; 0 for the first page
     * @return {@code count} rows, or fewer if there are no more
     */
    public List<KeyDayUsage> page(LocalDate from, LocalDate to, long only, long after, int count) {
        LocalDate before = from.minusDays(1);
        long key = after >> KeyDayUsage.DAY_BITS;
        LocalDate day = after == 0 ? before : LocalDate.ofEpochDay(after - (key << KeyDayUsage.DAY_BITS));
        key = Math.max(key, only);
        long last = only == 0 ? rows(database, Long.class, LAST_KEY).get(0) : only;
        List<KeyDayUsage> page = new ArrayList<>();
        long width = 1 + count / before.until(to, ChronoUnit.DAYS);
        while (key <= last && page.size() < count) {
            long end = Math.min(last, key + width);
            List<KeyDayUsage> read = rows(database, KeyDayUsage.class, PAGE, from, to, key, day, end, count);
            read.stream()
                    .filter(row -> row.owner() != null)
                    .limit(count - page.size())
                    .forEach(page::add);
            if (read.size() < count) {
                key = end + 1;
                day = before;
                width *= read.isEmpty() ? AFTER_NONE : Math.min(AFTER_FEW, 1 + 2L * count / read.size());
            } else {
                key = read.get(count - 1).key();
                day = read.get(count - 1).day();
            }
        }
        return page;
    }

    /** The sum of each day with usage, in ascending order. */
    public List<DayUsage> ofDays(LocalDate from, LocalDate to) {
        return rows(database, DayUsage.class, BY_DAY, from, to);
    }

    /** The sum of each plan with usage, by the plans of the keys on each day, the most used one first. */
    public List<PlanTotal> ofPlans(LocalDate from, LocalDate to) {
        return rows(database, PlanTotal.class, BY_PLAN, from, to);
    }

    /** The keys with the most admitted requests, in descending order. */
    public List<KeyTotal> mostAdmitted(LocalDate from, LocalDate to, int count) {
        return rows(database, KeyTotal.class, BY_KEY.formatted("admitted"), from, to, count);
    }

    /** The keys with the most refused requests, by quota or ban, in descending order. */
    public List<KeyTotal> mostRefused(LocalDate from, LocalDate to, int count) {
        return rows(database, KeyTotal.class, BY_KEY.formatted("refused + banned"), from, to, count);
    }

    /** Keys that have used at least 80 % of their limit per day on that day, those that have used most of it. */
    public List<Long> nearLimit(LocalDate day, int count) {
        return rows(database, Long.class, NEAR_LIMIT, day, count);
    }

    /** The rows of a query, each as a number or as a record of its columns. */
    @SuppressWarnings("unchecked")
    static <T> List<T> rows(EntityManager database, Class<T> type, String sql, Object... parameters) {
        Query query = database.createNativeQuery(sql, type);
        for (int i = 0; i < parameters.length; i++) {
            query.setParameter(i + 1, parameters[i]);
        }
        return query.getResultList();
    }

    /** The requests of a key, or of all, on one UTC day: admitted, or refused with {@code rate_limit_exceeded} or {@code key_banned}. */
    public record DayUsage(LocalDate day, long admitted, long refused, long banned) {}

    /** The requests of all keys of a plan, by outcome, as in {@link DayUsage}. */
    public record PlanTotal(String plan, long admitted, long refused, long banned) {}

    /** The requests of a key on some days, by outcome, as in {@link DayUsage}. */
    public record KeyTotal(long key, String owner, String plan, long admitted, long refused, long banned) {}

    /** The requests of a key on one UTC day, by outcome, as in {@link DayUsage}, with the key's current owner, and its plan on that day. */
    public record KeyDayUsage(
            long key, String owner, String plan, LocalDate day, long admitted, long refused, long banned) {
        /** The number of bits of a position for the day, enough until the year 4840. */
        private static final int DAY_BITS = 20;

        /** The position in a list ordered by key, then day: a positive, ascending number. */
        public long position() {
            return key << DAY_BITS | day.toEpochDay();
        }
    }
}
