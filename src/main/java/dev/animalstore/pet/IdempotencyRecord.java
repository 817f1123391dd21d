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

/** Which pet was made for a request that carried an {@link IdempotencyKey}. */
@Entity
@Immutable
@IdClass(IdempotencyRecord.Key.class)
@Table(name = "idempotency_key")
class IdempotencyRecord extends PanacheEntityBase {
    /** The name of the caller who sent the key. */
    @Id
    String caller;

    /** The text of the key. */
    @Id
    String key;

    /** What was made. */
    @ManyToOne
    Pet pet;

    /** When it was made. */
    Instant createdAt;

    /** The record of a key and its pet, unless it was made before that time. */
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
