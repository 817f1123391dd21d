package dev.animalstore.key;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.time.Instant;
import java.util.Optional;

/** A text by which a key is known. There is one while nothing is rotated, and two during a grace period. */
@Entity
class ApiKeySecret extends PanacheEntityBase {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    /** The key that the text stands for. */
    @ManyToOne(fetch = FetchType.LAZY)
    ApiKey key;

    /** SHA-256 of the text, which is stored nowhere. */
    @Column(updatable = false)
    byte[] hash;

    /** The last characters of the text. */
    @Column(updatable = false)
    String hint;

    /** When it was issued. */
    @Column(updatable = false)
    Instant createdAt;

    /** When a newer secret took its place; {@code null} while it is the current one. */
    Instant rotatedAt;

    /** When it stops working; {@code null} while it is the current one. */
    Instant expiresAt;

    /** What admission needs to know of the key with that secret, by one query. */
    static Optional<CachedKey> findKnown(KeyHash secret) {
        return find("""
                        select k.id, p.name, coalesce(p.perMinute, k.perMinute), coalesce(p.perDay, k.perDay),
                               k.version, k.expiresAt, k.revokedAt, s.rotatedAt, s.expiresAt
                        from ApiKeySecret s join s.key k join k.plan p where s.hash = ?1""", (Object) secret.bytes()).project(CachedKey.class).firstResultOptional();
    }

    /** Lets it work until the end of a grace period. One that has begun is never made longer. */
    void retire(Instant now, Instant graceEnd) {
        rotatedAt = rotatedAt == null ? now : rotatedAt;
        expiresAt = expiresAt == null || expiresAt.isAfter(graceEnd) ? graceEnd : expiresAt;
    }

    /** Whether its grace period is over. */
    boolean hasEndedBy(Instant now) {
        return expiresAt != null && !expiresAt.isAfter(now);
    }
}
