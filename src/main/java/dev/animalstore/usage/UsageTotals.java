package dev.animalstore.usage;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.persistence.EntityManager;
import java.time.LocalDate;
import java.util.List;

/**
 * Sums of usage over days. Each method is one query that reads the rows of those days, without a transaction, and fails if PostgreSQL
 * cannot read them within the timeout of a statement. Days are UTC days, and both ends are inclusive.
 */
@ApplicationScoped
@ActivateRequestContext
public class UsageTotals {
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

    UsageTotals(EntityManager database) {
        this.database = database;
    }

    /** The sum of each plan with usage, by the current plans of the keys, the most used one first. */
    @SuppressWarnings("unchecked")
    public List<PlanTotal> ofPlans(LocalDate from, LocalDate to) {
        List<Object[]> rows = database.createNativeQuery(BY_PLAN, Object[].class)
                .setParameter(1, from)
                .setParameter(2, to)
                .getResultList();
        return rows.stream()
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

    @SuppressWarnings("unchecked")
    private List<KeyTotal> ofKeys(String query, LocalDate from, LocalDate to, int count) {
        List<Object[]> rows = database.createNativeQuery(query, Object[].class)
                .setParameter(1, from)
                .setParameter(2, to)
                .setParameter(3, count)
                .getResultList();
        return rows.stream()
                .map(row -> new KeyTotal(
                        number(row[0]),
                        (String) row[1],
                        (String) row[2],
                        number(row[3]),
                        number(row[4]),
                        number(row[5])))
                .toList();
    }

    private static long number(Object column) {
        return ((Number) column).longValue();
    }

    /**
     * The requests of all keys of a plan.
     *
     * @param plan the plan's name
     * @param refused those that got {@code rate_limit_exceeded}
     * @param banned those that got {@code key_banned}
     */
    public record PlanTotal(String plan, long admitted, long refused, long banned) {}

    /**
     * The requests of a key.
     *
     * @param key identifies the key
     * @param owner who the key was issued to
     * @param plan the plan's name
     * @param refused those that got {@code rate_limit_exceeded}
     * @param banned those that got {@code key_banned}
     */
    public record KeyTotal(long key, String owner, String plan, long admitted, long refused, long banned) {}
}
