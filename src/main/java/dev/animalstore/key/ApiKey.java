package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.LockModeType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hibernate.annotations.BatchSize;

/** An identity that may use the API: one owner, one plan, one quota, one ban, whatever secrets it is known by. */
@Entity
@Table(name = "api_key")
class ApiKey extends PanacheEntityBase {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    String owner;

    @ManyToOne(optional = false)
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

    @Column(name = "last_used_at", insertable = false, updatable = false)
    Instant lastUsedAt;

    @OneToMany(mappedBy = "key", cascade = CascadeType.ALL, orphanRemoval = true)
    @OrderBy("id desc")
    @BatchSize(size = 100)
    List<Secret> secrets = new ArrayList<>();

    static Optional<ApiKey> findKey(long id) {
        return findByIdOptional(id);
    }

    /**
     * A key whose row nobody else changes until the transaction ends. The query reads that row alone: joined with its plan it would come
     * back empty after waiting for somebody who put the key on another one.
     */
    static Optional<ApiKey> lockKey(long id) {
        return ApiKey.<ApiKey>find("id", id)
                .withLock(LockModeType.PESSIMISTIC_WRITE)
                .singleResultOptional();
    }

    /** At most {@code count} keys after an identifier, of one owner or of any, in ascending order of their identifiers. */
    static List<ApiKey> findPage(Optional<String> owner, long after, int count) {
        return owner.<List<ApiKey>>map(name -> ApiKey.<ApiKey>find("owner = ?1 and id > ?2 order by id", name, after)
                        .range(0, count - 1)
                        .list())
                .orElseGet(() -> ApiKey.<ApiKey>find("id > ?1 order by id", after)
                        .range(0, count - 1)
                        .list());
    }

    /** Puts the key on a plan, with limits of its own where the plan has none, and only there. */
    void bind(Plan newPlan, Optional<KeyLimits> limits) {
        if (newPlan.hasLimits() && limits.isPresent()) {
            throw new ApiException(
                    ErrorCode.VALIDATION_FAILED, "limits must be absent: the plan " + newPlan.name + " has its own.");
        }
        if (!newPlan.hasLimits() && limits.isEmpty()) {
            throw new ApiException(
                    ErrorCode.VALIDATION_FAILED, "limits is required: the plan " + newPlan.name + " has none.");
        }
        plan = newPlan;
        perMinute = limits.map(KeyLimits::perMinute).orElse(null);
        perDay = limits.map(KeyLimits::perDay).orElse(null);
    }

    Optional<KeyLimits> ownLimits() {
        return perMinute == null ? Optional.empty() : Optional.of(new KeyLimits(perMinute, perDay));
    }

    KeyDetails details() {
        return new KeyDetails(
                id,
                owner,
                plan.name,
                ownLimits().orElseGet(() -> new KeyLimits(plan.perMinute, plan.perDay)),
                version,
                createdAt,
                expiresAt,
                revokedAt,
                lastUsedAt,
                secrets.stream().map(Secret::details).toList());
    }
}
