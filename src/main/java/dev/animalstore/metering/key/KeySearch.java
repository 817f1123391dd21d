package dev.animalstore.metering.key;

import io.quarkus.hibernate.orm.panache.PanacheQuery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A search for keys. A key must match every condition that is not {@code null}; the prefix ignores case. */
public record KeySearch(String owner, String ownerPrefix, String plan, State state) {
    /** Sorts after every character that an owner may have. */
    private static final String LAST = "\uDBFF\uDFFF";

    /** A range, since PostgreSQL uses an index for {@code like} only if it knows the pattern at planning time. */
    private static final String BY_PREFIX =
            "cast(sql('(lower(?) ~>=~ lower(?) and lower(?) ~<~ lower(?))', k.owner, :first, k.owner, :last) as Boolean) = true";

    /**
     * Until the end of the transaction PostgreSQL plans for the parameters that it gets. For unknown ones it would read keys in their order
     * until the page is full: all of them, for an owner who has few.
     */
    private static final String PLANNED_FOR_PARAMETERS =
            "select set_config('plan_cache_mode', 'force_custom_plan', true)";

    /** Whether a key can be used. A ban is not a state, since it ends automatically. */
    public enum State {
        ACTIVE("k.revokedAt is null and k.suspendedAt is null and (k.expiresAt is null or k.expiresAt > instant)"),
        EXPIRING(
                "k.revokedAt is null and k.suspendedAt is null and k.expiresAt > instant and k.expiresAt <= instant + 14 day"),
        EXPIRED("k.revokedAt is null and k.expiresAt <= instant"),
        SUSPENDED(
                "k.revokedAt is null and k.suspendedAt is not null and (k.expiresAt is null or k.expiresAt > instant)"),
        REVOKED("k.revokedAt is not null");

        private final String condition;

        State(String condition) {
            this.condition = condition;
        }
    }

    /**
     * At most {@code count} matching keys after an identifier, in ascending order of their identifiers. Runs in the current transaction.
     * Selective conditions use an index; those that most keys match are checked while the primary key is read in order, until the page is
     * full.
     */
    public List<ApiKey> page(long after, int count) {
        return query("> :from", after, "").range(0, count - 1).list();
    }

    /** The identifier after which the last {@code count} matching keys up to another one begin; 0 if there are no more than those. */
    public long before(long last, int count) {
        return query("<= :from", last, " desc")
                .range(count, count)
                .firstResultOptional()
                .map(key -> key.id)
                .orElse(0L);
    }

    private PanacheQuery<ApiKey> query(String range, long from, String order) {
        StringBuilder query = new StringBuilder("from ApiKey k join fetch k.plan where k.id ").append(range);
        Map<String, Object> parameters = new HashMap<>(Map.of("from", from));
        if (owner != null) {
            query.append(" and k.owner = :owner");
            parameters.put("owner", owner);
        }
        if (ownerPrefix != null) {
            ApiKey.getEntityManager()
                    .createNativeQuery(PLANNED_FOR_PARAMETERS, String.class)
                    .getSingleResult();
            query.append(" and ").append(BY_PREFIX);
            parameters.put("first", ownerPrefix);
            parameters.put("last", ownerPrefix + LAST);
        }
        if (plan != null) {
            query.append(" and k.plan.name = :plan");
            parameters.put("plan", plan);
        }
        if (state != null) {
            query.append(" and ").append(state.condition);
        }
        return ApiKey.find(query.append(" order by k.id").append(order).toString(), parameters);
    }
}
