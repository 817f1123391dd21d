package dev.animalstore.usage;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.persistence.EntityManager;
import java.time.LocalDate;
import java.util.List;

/** Reads usage. Each method is one indexed query, without a transaction. Days are UTC days, and both ends are inclusive. */
@ApplicationScoped
@ActivateRequestContext
public class UsageReports {
    private static final String COLUMNS = """
            select k.id, k.owner, k.plan, u.day - date '1970-01-01', u.admitted, u.refused, u.banned
            """;

    static final String ONE_DAY = COLUMNS + """
            from usage_day u join api_key k on k.id = u.key_id
            where u.day = ?1 and u.key_id > ?2
            order by u.key_id
            limit ?3""";

    /** Key by key, so that a page continues where the previous one ended, for any number of days. */
    static final String SEVERAL_DAYS = COLUMNS + """
            from api_key k cross join lateral (
                select * from usage_day
                where key_id = k.id and day between ?1 and ?2 and (key_id, day) > (?3, ?4)
                order by day
                limit ?5) u
            where k.id >= ?3
            order by k.id, u.day
            limit ?5""";

    private final EntityManager database;

    UsageReports(EntityManager database) {
        this.database = database;
    }

    /** The days on which a key sent requests, in ascending order. */
    public List<DayUsage> ofKey(long key, LocalDate from, LocalDate to) {
        return UsageDay.list(key, from, to).stream()
                .map(row -> new DayUsage(row.day, row.admitted, row.refused, row.banned))
                .toList();
    }

    /**
     * The usage of all keys, ordered by key, then day.
     *
     * @param after the position after which the page begins, from {@link KeyDayUsage#position}; 0 for the first page
     */
    public List<KeyDayUsage> page(LocalDate from, LocalDate to, long after, int count) {
        return (from.equals(to) ? pageOfOneDay(from, after, count) : pageOfSeveralDays(from, to, after, count))
                .stream().map(UsageReports::usage).toList();
    }

    @SuppressWarnings("unchecked")
    private List<Object[]> pageOfOneDay(LocalDate day, long after, int count) {
        return database.createNativeQuery(ONE_DAY, Object[].class)
                .setParameter(1, day)
                .setParameter(2, KeyDayUsage.keyAt(after))
                .setParameter(3, count)
                .getResultList();
    }

    @SuppressWarnings("unchecked")
    private List<Object[]> pageOfSeveralDays(LocalDate from, LocalDate to, long after, int count) {
        return database.createNativeQuery(SEVERAL_DAYS, Object[].class)
                .setParameter(1, from)
                .setParameter(2, to)
                .setParameter(3, KeyDayUsage.keyAt(after))
                .setParameter(4, LocalDate.ofEpochDay(KeyDayUsage.dayAt(after)))
                .setParameter(5, count)
                .getResultList();
    }

    private static KeyDayUsage usage(Object[] row) {
        return new KeyDayUsage(
                number(row[0]),
                (String) row[1],
                (String) row[2],
                LocalDate.ofEpochDay(number(row[3])),
                number(row[4]),
                number(row[5]),
                number(row[6]));
    }

    private static long number(Object column) {
        return ((Number) column).longValue();
    }
}
