package dev.animalstore.operator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.animalstore.metering.usage.Days;
import io.quarkus.hibernate.orm.panache.Panache;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.query.Query;
import org.hibernate.type.SqlTypes;

/** What was done with a key, as triggers of the database record it. It is removed with the usage of that time. */
@Entity
@Immutable
@JsonPropertyOrder({"key", "plan", "at", "operator", "action", "changed"})
public class KeyChange extends PanacheEntityBase {
    private static final Pattern WORD = Pattern.compile("_([a-z])");

    /** Ascending in the order of a key's changes, since each is numbered while the key is locked. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @JsonIgnore
    public Long id;

    /** {@code null} if it concerns more than one: a plan has changed, or a table was emptied. */
    @JsonProperty("key")
    public Long keyId;

    /** The plan that has changed, or {@code null}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public String plan;

    public Instant at;

    /** The name, or the user of the database whose SQL did it. */
    public String operator;

    /** As in the audit log, such as {@code rotateKey}; {@code sql} if it was done past the service. */
    public String action;

    /** The columns of the key, and of each secret, in a member of its own, which is {@code null} if there was none. */
    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> before;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> after;

    /** At most {@code count} changes of a key, the newest first, that come after one of them in that order; 0 for the first ones. */
    static List<KeyChange> page(long key, long after, int count) {
        return find("keyId = ?1 and id < ?2 order by id desc", key, after == 0 ? Long.MAX_VALUE : after)
                .range(0, count - 1)
                .list();
    }

    /**
     * At most {@code count} changes of all keys on some days, the newest first, that come after one of them in that order; 0 for the first ones. The
     * comparison of rows is a range of one index, the only one in this order: by default PostgreSQL may read the changes of all operators for
     * one who has made few, which takes seconds for two million.
     *
     * @param operator who has made them; {@code null} for anybody
     */
    static List<KeyChange> page(String operator, Days days, long after, int count) {
        KeyChange last = after == 0 ? null : findById(after);
        if (after != 0 && last == null) {
            // It was removed, as all older ones were before.
            return List.of();
        }
        String column = operator == null ? "" : "operator, ";
        String value = operator == null ? "" : ":operator, ";
        String sql = """
                select * from metering.key_change
                where (%1$sat, id) >= (%2$s:from, 0) and (%1$sat, id) < (%2$s:end, :last)
                order by %3$sat desc, id desc""".formatted(column, value, column.replace(",", " desc,"));
        Query<KeyChange> query = Panache.getSession(KeyChange.class)
                .createNativeQuery(sql, KeyChange.class)
                .setParameter("from", start(days.from()))
                .setParameter("end", last == null ? start(days.to().plusDays(1)) : last.at)
                .setParameter("last", after);
        return (operator == null ? query : query.setParameter("operator", operator))
                .setMaxResults(count)
                .list();
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** The value before and after, {@code null} if there was none, of each member of a key, and of each secret by its hint, that differs. */
    @JsonProperty
    public Map<String, List<Object>> changed() {
        Map<String, Object> old = members(before);
        Map<String, Object> now = members(after);
        Map<String, List<Object>> changed = new TreeMap<>();
        Stream.concat(old.keySet().stream(), now.keySet().stream())
                .filter(member -> !Objects.equals(old.get(member), now.get(member)))
                .forEach(member -> changed.put(member, Arrays.asList(old.get(member), now.get(member))));
        return changed;
    }

    private static Map<String, Object> members(Map<String, Object> rows) {
        Map<String, Object> members = new HashMap<>();
        rows.forEach((name, row) -> {
            if (row instanceof Map<?, ?> columns && name.startsWith("secret ")) {
                Object end = time(columns.get("expires_at"));
                members.put("secret " + columns.get("hint"), Collections.singletonMap("expiresAt", end));
            } else if (row instanceof Map<?, ?> columns) {
                columns.forEach((column, value) -> {
                    String member = WORD.matcher(column.toString())
                            .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
                    members.put(member, member.endsWith("At") ? time(value) : value);
                });
            }
        });
        members.remove("id");
        return members;
    }

    /** PostgreSQL writes a time with the offset of whoever changed it. */
    private static Object time(Object stored) {
        try {
            return stored == null
                    ? null
                    : OffsetDateTime.parse(stored.toString()).toInstant();
        } catch (DateTimeException beyondTheYear9999) {
            return stored;
        }
    }
}
