package dev.animalstore.operator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.List;
import org.hibernate.annotations.Immutable;

/** What was done with a key, as triggers of the database record it. It is removed with the usage of that time. */
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
    public Long keyId;

    public Instant at;

    /** The name, or the user of the database whose SQL did it. */
    public String operator;

    /** As in the audit log, such as {@code rotateKey}; {@code sql} if it was done past the service. */
    public String action;

    /** At most {@code count} changes of a key, the newest first, that come after one of them in that order; 0 for the first ones. */
    static List<KeyChange> page(long key, long after, int count) {
        return find("keyId = ?1 and id < ?2 order by id desc", key, after == 0 ? Long.MAX_VALUE : after)
                .range(0, count - 1)
                .list();
    }
}
