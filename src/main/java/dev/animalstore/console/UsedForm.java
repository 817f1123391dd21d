package dev.animalstore.console;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.Immutable;

/** A form that has issued or changed a key. */
@Entity
@Immutable
@Table(name = "console_form")
class UsedForm extends PanacheEntityBase {
    /** The identifier of the form. */
    @Id
    UUID id;

    /** The identifier of the key that it issued or changed. */
    Long keyId;

    /** When it was used. */
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

    /** Records which key a form issued or changed, in the transaction that marked it as used. */
    static void setKey(UUID id, long keyId) {
        getEntityManager()
                .createNativeQuery("update console_form set key_id = ?2 where id = ?1")
                .setParameter(1, id)
                .setParameter(2, keyId)
                .executeUpdate();
    }

    /** The identifier of the key that a form issued or changed, if any. */
    static Optional<Long> findKey(UUID id) {
        return UsedForm.<UsedForm>findByIdOptional(id).map(form -> form.keyId);
    }
}
