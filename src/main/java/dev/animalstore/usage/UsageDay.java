package dev.animalstore.usage;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.List;
import org.hibernate.annotations.Immutable;

/** The usage of a key on one UTC day. Rows are written by {@link UsageRepository}, in batches. */
@Entity
@Immutable
@IdClass(UsageDay.Identity.class)
class UsageDay extends PanacheEntityBase {
    /** The identifier of the key. */
    @Id
    long keyId;

    @Id
    LocalDate day;

    long admitted;

    /** Requests that got {@code rate_limit_exceeded}. */
    long refused;

    /** Requests that got {@code key_banned}. */
    long banned;

    /** The days of a key, both inclusive, on which it sent requests, in ascending order. */
    static List<UsageDay> list(long keyId, LocalDate from, LocalDate to) {
        return list("keyId = ?1 and day between ?2 and ?3 order by day", keyId, from, to);
    }

    /** The primary key. */
    record Identity(long keyId, LocalDate day) implements Serializable {}
}
