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

/** A secret of a key, the string that a client sends. There is one, and during a grace period after a rotation there are two or more. */
@Entity
class ApiKeySecret extends PanacheEntityBase {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    /** The key that it belongs to. */
    @ManyToOne(fetch = FetchType.LAZY)
    ApiKey key;

    /** SHA-256 of the secret, which itself is never stored. */
    @Column(updatable = false)
    byte[] hash;

    /** The last characters of the secret part. */
    @Column(updatable = false)
    String hint;

    /** When it was issued. */
    @Column(updatable = false)
    Instant createdAt;

    /** When a newer secret replaced it; {@code null} while it is the current one. */
    Instant rotatedAt;

    /** When it stops working; {@code null} while it is the current one. */
    Instant expiresAt;

    /** The data that admission needs of a secret's key, by one query. */
    static Optional<CachedKey> findKnown(KeyHash secret) {
        return find("""
                        select k.id, p.name, coalesce(p.perMinute, k.perMinute), coalesce(p.perDay, k.perDay),
                               k.version, k.expiresAt, k.revokedAt, s.rotatedAt, s.expiresAt
                        from ApiKeySecret s join s.key k join k.plan p where s.hash = ?1""", (Object) secret.bytes()).project(CachedKey.class).firstResultOptional();
    }

    /** Sets the end of its grace period. A grace period that has begun is never extended. */
    void retire(Instant now, Instant graceEnd) {
        rotatedAt = rotatedAt == null ? now : rotatedAt;
        expiresAt = expiresAt == null || expiresAt.isAfter(graceEnd) ? graceEnd : expiresAt;
    }

    /** Whether its grace period is over. */
    boolean hasEndedBy(Instant now) {
        return expiresAt != null && !expiresAt.isAfter(now);
    }
}
