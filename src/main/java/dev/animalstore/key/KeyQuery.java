package dev.animalstore.key;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The query of a page of keys. Selective conditions use an index; those that most keys match are checked while the primary key is read in
 * order, until the page is full.
 */
final class KeyQuery {
    /** Sorts after every character that an owner may have. */
    private static final String LAST = "\uDBFF\uDFFF";

    private final StringBuilder text = new StringBuilder("from ApiKey k join fetch k.plan where k.id > :after");
    private final Map<String, Object> parameters = new HashMap<>();

    KeyQuery(KeyFilter filter, long after, Instant now) {
        parameters.put("after", after);
        filter.owner().ifPresent(owner -> add(" and k.owner = :owner", "owner", owner));
        filter.ownerPrefix().ifPresent(this::addPrefix);
        filter.plan().ifPresent(plan -> add(" and k.plan.name = :plan", "plan", plan));
        filter.state().ifPresent(state -> add(state, now));
        text.append(" order by k.id");
    }

    String text() {
        return text.toString();
    }

    Map<String, Object> parameters() {
        return parameters;
    }

    /** A range, since PostgreSQL uses an index for {@code like} only if it knows the pattern at planning time. */
    private void addPrefix(String prefix) {
        add(
                " and cast(sql('(lower(?) ~>=~ lower(?) and lower(?) ~<~ lower(?))', k.owner, :first, k.owner, :last) as Boolean) = true",
                "first",
                prefix);
        parameters.put("last", prefix + LAST);
    }

    private void add(KeyState state, Instant now) {
        switch (state) {
            case ACTIVE -> add(" and k.revokedAt is null and (k.expiresAt is null or k.expiresAt > :now)", "now", now);
            case EXPIRED -> add(" and k.revokedAt is null and k.expiresAt <= :now", "now", now);
            case REVOKED -> text.append(" and k.revokedAt is not null");
        }
    }

    private void add(String condition, String name, Object value) {
        text.append(condition);
        parameters.put(name, value);
    }
}
