package dev.animalstore.operator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.animalstore.key.ApiKey;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.List;
import org.hibernate.annotations.Immutable;

/** What an operator did with a key. It is written in the transaction of the change, and removed with the usage of that time. */
@Entity
@Immutable
@JsonPropertyOrder({"at", "operator", "action"})
public class KeyChange extends PanacheEntityBase {
    /** Ascending in the order of a key's changes, since each is numbered while the key is locked. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @JsonIgnore
    public Long id;

    @JsonIgnore
    public long keyId;

    public Instant at;

    /** The name. */
    public String operator;

    /** As in the audit log, such as {@code rotateKey}. */
    public String action;

    /** Whether Redis has confirmed it to {@link LateAnnouncements}. */
    @JsonIgnore
    boolean announced;

    /** Adds a change in the current transaction, which has locked the key or adds it. */
    static void add(ApiKey key, Instant at, Operator operator, String action) {
        KeyChange change = new KeyChange();
        change.keyId = key.id;
        change.at = at;
        change.operator = operator.name();
        change.action = action;
        change.persist();
    }

    /** At most {@code count} changes that are not announced, the oldest first. */
    static List<KeyChange> unannounced(int count) {
        return find("not announced order by id").range(0, count - 1).list();
    }

    static void setAnnounced(List<KeyChange> changes) {
        getEntityManager()
                .createNativeQuery("update key_change set announced = true where not announced and id = any (?1)")
                .setParameter(1, changes.stream().map(change -> change.id).toArray(Long[]::new))
                .executeUpdate();
    }

    /** At most {@code count} changes of a key, the newest first, that come after one of them in that order; 0 for the first ones. */
    static List<KeyChange> page(long key, long after, int count) {
        return find("keyId = ?1 and id < ?2 order by id desc", key, after == 0 ? Long.MAX_VALUE : after)
                .range(0, count - 1)
                .list();
    }
}
