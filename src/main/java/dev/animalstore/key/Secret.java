package dev.animalstore.key;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;

/** A text by which a key is known, stored as its hash alone. */
@Entity
@Table(name = "api_key_secret")
class Secret extends PanacheEntityBase {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "key_id")
    ApiKey key;

    byte[] hash;

    String hint;

    @Column(name = "created_at")
    Instant createdAt;

    /** When a newer secret took its place; none for the current one. */
    @Column(name = "rotated_at")
    Instant rotatedAt;

    /** The end of the grace period of a secret that was rotated; none for the current one. */
    @Column(name = "expires_at")
    Instant expiresAt;

    static Optional<KnownKey> findKnownKey(KeyHash hash) {
        return find("""
                        select k.id, p.name, coalesce(p.perMinute, k.perMinute), coalesce(p.perDay, k.perDay),
                               k.version, k.expiresAt, k.revokedAt, s.rotatedAt, s.expiresAt
                        from Secret s join s.key k join k.plan p
                        where s.hash = ?1""", hash.bytes()).project(KnownKey.class).firstResultOptional();
    }

    /** Ends the secret's time as the current one. A grace period that has begun is never made longer. */
    void retire(Instant now, Instant graceEnd) {
        if (rotatedAt == null) {
            rotatedAt = now;
        }
        if (expiresAt == null || graceEnd.isBefore(expiresAt)) {
            expiresAt = graceEnd;
        }
    }

    /** Whether the grace period has ended, so that nothing is lost with the secret. */
    boolean isOver(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    KeyDetails.SecretDetails details() {
        return new KeyDetails.SecretDetails(hint, createdAt, expiresAt);
    }
}
