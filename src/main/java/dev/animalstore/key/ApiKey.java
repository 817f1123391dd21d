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

/** An identity that may use the API: one owner, one plan, one quota, one ban, whatever secrets it is known by. */
@Entity
@Table(name = "api_key")
class ApiKey extends PanacheEntityBase {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    String owner;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "plan")
    Plan plan;

    /** The key's own limits, only where its plan has none. */
    @Column(name = "per_minute")
    Integer perMinute;

    @Column(name = "per_day")
    Integer perDay;

    /** Raised by every change; what a replica holds in its cache is outdated when it is of a lower version. */
    long version = 1;

    @Column(name = "created_at")
    Instant createdAt;

    @Column(name = "expires_at")
    Instant expiresAt;

    @Column(name = "revoked_at")
    Instant revokedAt;

    @Column(name = "last_used_at")
    Instant lastUsedAt;
}
