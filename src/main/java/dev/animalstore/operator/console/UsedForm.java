package dev.animalstore.operator.console;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

/** A form that has issued a key. */
@Entity
@Table(name = "console_form")
public class UsedForm extends PanacheEntityBase {
    @Id
    UUID id;

    Long keyId;

    Instant usedAt;

    /**
     * Records in the current transaction that a form has issued a key, and deletes some forms of expired sessions. Waits for another
     * transaction that records the same form.
     *
     * @throws ApiException {@code conflict} if the form has issued another key
     */
    static void use(UUID id, long key, Instant now) {
        int added = getEntityManager()
                .createNativeQuery("""
                        with removed as (
                            delete from metering.console_form where id in (
                                select id from metering.console_form where used_at < ?4 limit 100 for update skip locked))
                        insert into metering.console_form (id, key_id, used_at) values (?1, ?2, ?3) on conflict do nothing""")
                .setParameter(1, id)
                .setParameter(2, key)
                .setParameter(3, now)
                .setParameter(4, now.minus(Sessions.LENGTH.multipliedBy(2)))
                .executeUpdate();
        if (added == 0) {
            throw new ApiException(ErrorCode.CONFLICT, "This form has already issued a key.");
        }
    }
}
