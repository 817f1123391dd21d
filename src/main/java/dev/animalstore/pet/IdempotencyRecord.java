package dev.animalstore.pet;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.annotations.Immutable;

/** The pet that was created for a request with an {@link IdempotencyKey}. */
@Entity
@Immutable
@IdClass(IdempotencyRecord.Key.class)
@Table(name = "idempotency_key")
class IdempotencyRecord extends PanacheEntityBase {
    /** The identifier of the caller who sent the key. */
    @Id
    String caller;

    /** The text of the key. */
    @Id
    String key;

    /** The created pet. */
    @ManyToOne
    Pet pet;

    /** When it was created. */
    Instant createdAt;

    /** The record of a key and its pet, if it was created after {@code oldest}. */
    static Optional<IdempotencyRecord> find(IdempotencyKey key, Instant oldest) {
        return find(
                        "from IdempotencyRecord r join fetch r.pet where r.caller = ?1 and r.key = ?2 and r.createdAt > ?3",
                        key.caller(),
                        key.text(),
                        oldest)
                .firstResultOptional();
    }

    /** The primary key. */
    record Key(String caller, String key) implements Serializable {}
}
