package dev.animalstore.operator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
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
import org.hibernate.type.SqlTypes;

/** What was done with a key, as triggers of the database record it. It is removed with the usage of that time. */
@Entity
@Immutable
@JsonPropertyOrder({"at", "operator", "action", "changed"})
public class KeyChange extends PanacheEntityBase {
    private static final Pattern WORD = Pattern.compile("_([a-z])");

    /** Ascending in the order of a key's changes, since each is numbered while the key is locked. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @JsonIgnore
    public Long id;

    @JsonIgnore
    public Long keyId;

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
