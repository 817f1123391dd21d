package dev.animalstore.console;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.annotations.Immutable;

/** A form by which a key was issued or changed. */
@Entity
@Immutable
@Table(name = "console_form")
class UsedForm extends PanacheEntityBase {
    /** Names the form. */
    @Id
    UUID id;

    /** The key. */
    Long keyId;

    /** When that was. */
    Instant usedAt;

    /**
     * Uses a form up, in the present transaction, and forgets those that no session can send any more. Waits for another transaction that does
     * the same.
     *
     * @return whether it had not been used before
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

    /** Records which key a form issued or changed, in the transaction that used it up. */
    static void name(UUID id, long keyId) {
        getEntityManager()
                .createNativeQuery("update console_form set key_id = ?2 where id = ?1")
                .setParameter(1, id)
                .setParameter(2, keyId)
                .executeUpdate();
    }

    /** The key that a form issued or changed, if it did. */
    static Optional<Long> findKey(UUID id) {
        return UsedForm.<UsedForm>findByIdOptional(id).map(form -> form.keyId);
    }
}
