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

    Long keyId;

    Instant usedAt;

    /**
     * Marks a form as used, in the current transaction, and deletes forms of expired sessions. Waits for another transaction that marks the
     * same form.
     *
     * @return whether it was unused before
     */
    static boolean claim(UUID id, Instant now) {
        delete("usedAt < ?1", now.minus(Sessions.LENGTH.multipliedBy(2)));
        return getEntityManager()
                        .createNativeQuery(
                                "insert into console_form (id, used_at) values (?1, ?2) on conflict do nothing")
                        .setParameter(1, id)
                        .setParameter(2, now)
                        .executeUpdate()
                == 1;
    }

    /** Records which key a form issued, in the transaction that marked it as used. */
    static void setKey(UUID id, long keyId) {
        update("keyId = ?1 where id = ?2", keyId, id);
    }
}
