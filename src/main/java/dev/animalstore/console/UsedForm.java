package dev.animalstore.console;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

/** A form that has issued a key. */
@Entity
@Table(name = "console_form")
class UsedForm extends PanacheEntityBase {
    @Id
    UUID id;

    /** The key that it issued; {@code null} before it has. */
    public Long keyId;

    Instant usedAt;

    /**
     * Marks a form as used, in the current transaction, and deletes forms of expired sessions. Waits for another transaction that marks the
     * same form.
     */
    static UsedForm claim(UUID id, Instant now) {
        delete("usedAt < ?1", now.minus(Sessions.LENGTH.multipliedBy(2)));
        getEntityManager()
                .createNativeQuery("insert into console_form (id, used_at) values (?1, ?2) on conflict do nothing")
                .setParameter(1, id)
                .setParameter(2, now)
                .executeUpdate();
        return findById(id);
    }
}
