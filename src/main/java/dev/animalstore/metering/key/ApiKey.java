package dev.animalstore.metering.key;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.LockModeType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.Fetch;
import org.hibernate.annotations.FetchMode;
import org.hibernate.annotations.SQLRestriction;

/**
 * An API key: the identity of an owner, known by its secrets and bound to a plan, which are always loaded with it. It is changed only in a
 * transaction that has locked it, so concurrent changes are serialised and none is lost.
 */
@Entity
@DynamicUpdate
public class ApiKey extends PanacheEntityBase {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    public String owner;

    /** By a query of its own, since {@link #lock} must not lock the plan. */
    @ManyToOne
    @Fetch(FetchMode.SELECT)
    @JoinColumn(name = "plan")
    public Plan plan;

    /** Its own, for a plan that has none; otherwise {@code null}. */
    @Embedded
    Plan.Limits ownLimits;

    /** Raised by a trigger at every change, so that replicas detect outdated copies. Below 2<sup>53</sup>, the limit of Lua's integers. */
    @Column(insertable = false, updatable = false)
    public long version;

    @Column(updatable = false)
    public Instant createdAt;

    /** {@code null} if never. */
    public Instant expiresAt;

    /** {@code null} if it is not suspended, which an operator can undo. */
    public Instant suspendedAt;

    /** {@code null} if never. */
    public Instant revokedAt;

    /** When its last request was admitted, accurate to a minute; {@code null} if none was. Written by the usage collector only. */
    @Column(insertable = false, updatable = false)
    public Instant lastUsedAt;

    /** Those that work, the newest first. One query loads those of the largest page of the operators' list, and of the key after it. */
    @OneToMany(mappedBy = "key", cascade = CascadeType.PERSIST, fetch = FetchType.EAGER)
    @SQLRestriction("not ended and (expires_at is null or expires_at > now())")
    @Fetch(FetchMode.SELECT)
    @OrderBy("id desc")
    @BatchSize(size = 101)
    public List<Secret> secrets = new ArrayList<>();

    /** The key with that identifier, locked for a change. Other changes of it wait until the transaction ends. */
    public static Optional<ApiKey> lock(long id) {
        return findByIdOptional(id, LockModeType.PESSIMISTIC_WRITE);
    }

    /** Adds a key with its first secret. The rest is as in {@link #change}. */
    public static ApiKey add(
            String owner, String plan, Plan.Limits limits, Optional<Instant> expiresAt, BearerKey secret, Instant now) {
        ApiKey key = new ApiKey();
        key.createdAt = now;
        key.change(owner, plan, limits, expiresAt);
        key.add(secret, now);
        key.persist();
        return key;
    }

    /**
     * Changes what is not {@code null}.
     *
     * @param newLimits required for a plan that has none of its own
     * @param newExpiry empty if never
     * @throws ApiException {@code conflict} for a revoked key, of which only the owner can be changed; {@code validation_failed} for a plan that is unknown or has other limits
     */
    public void change(String newOwner, String newPlan, Plan.Limits newLimits, Optional<Instant> newExpiry) {
        if (newOwner == null || newPlan != null || newLimits != null || newExpiry != null) {
            requireNotRevoked();
        }
        plan = newPlan == null ? plan : Plan.get(newPlan);
        ownLimits = newLimits == null && plan.limits == null ? ownLimits : newLimits;
        plan.verify(ownLimits != null);
        owner = newOwner == null ? owner : newOwner;
        expiresAt = newExpiry == null ? expiresAt : newExpiry.orElse(null);
    }

    /**
     * Adds a new secret. The existing ones work until {@code grace} has passed, or end at once if it is zero.
     *
     * @throws ApiException {@code conflict} if the key is revoked or expired
     */
    public void rotate(BearerKey secret, Duration grace, Instant now) {
        if (revokedAt != null || (expiresAt != null && !now.isBefore(expiresAt))) {
            throw new ApiException(ErrorCode.CONFLICT, "The key has been revoked or has expired.");
        }
        secrets.forEach(old -> old.retire(now, now.plus(grace)));
        if (grace.isZero()) {
            secrets.forEach(old -> old.ended = true);
            secrets.clear();
        }
        add(secret, now);
    }

    private void requireNotRevoked() {
        if (revokedAt != null) {
            throw new ApiException(ErrorCode.CONFLICT, "The key is permanently revoked.");
        }
    }

    /** Suspends it, or resumes it, unless it is revoked ({@code conflict}). Doing so again changes nothing. */
    public void suspend(boolean wanted, Instant now) {
        requireNotRevoked();
        suspendedAt = !wanted ? null : suspendedAt == null ? now : suspendedAt;
    }

    /** Revokes it permanently. Doing so again changes nothing. */
    public void revoke(Instant now) {
        revokedAt = revokedAt == null ? now : revokedAt;
    }

    /**
     * Writes the changes of the current transaction, gives the key a newer version, and reads that back. A change of secrets alone raises none
     * by itself.
     */
    public void raiseVersion() {
        getEntityManager().flush();
        version = raise(id, version);
    }

    /**
     * Gives a key a version that is newer than another one, than its own and than the present time in microseconds. So it is also newer than
     * versions that PostgreSQL has lost, and than those of an earlier key with its number.
     */
    static long raise(long id, long above) {
        return (Long) getEntityManager()
                .createNativeQuery(
                        "update metering.api_key set version = ?2 where id = ?1 returning version", Long.class)
                .setParameter(1, id)
                .setParameter(2, above)
                .getSingleResult();
    }

    /** When it was created, in microseconds since 1970: tells it from others that had its identifier before the database was restored. */
    public long created() {
        return CachedKey.micros(createdAt);
    }

    /** The limits of the plan, or its own if the plan has none. */
    public Plan.Limits limits() {
        return plan.limits == null ? ownLimits : plan.limits;
    }

    private void add(BearerKey text, Instant now) {
        Secret secret = new Secret();
        secret.key = this;
        secret.hash = text.hash().bytes();
        secret.hint = text.hint();
        secret.createdAt = now;
        secrets.add(0, secret);
    }

    /**
     * A secret of a key, the string that a client sends. One works, and during a grace period after a rotation two or more do. The others stay,
     * so that one that is found later is recognised.
     */
    @Entity(name = "ApiKeySecret")
    public static class Secret extends PanacheEntityBase {
        private static final String WITH_KEY = "from ApiKeySecret s join fetch s.key k join fetch k.plan where ";

        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        public Long id;

        @ManyToOne(fetch = FetchType.LAZY)
        public ApiKey key;

        /** SHA-256 of the secret, which itself is never stored. */
        @Column(updatable = false)
        byte[] hash;

        /** Its last four characters before the check. */
        @Column(updatable = false)
        public String hint;

        @Column(updatable = false)
        public Instant createdAt;

        /** When a newer secret replaced it; {@code null} while it is the current one. */
        Instant rotatedAt;

        /** When it stops working, or did; {@code null} while it is the current one. */
        public Instant expiresAt;

        /** Whether it has ended, whatever the clocks of replicas say. */
        boolean ended;

        /** One of any key, in any state. */
        public static Optional<Secret> find(BearerKey text) {
            return find(WITH_KEY + "s.hash = ?1", text.hash().bytes()).firstResultOptional();
        }

        public static Optional<Secret> find(long key, long id) {
            return find(WITH_KEY + "k.id = ?1 and s.id = ?2", key, id).firstResultOptional();
        }

        /** When it has stopped working, which another end of its key does not change; {@code null} if it has not. */
        public Instant endedAt() {
            return key.secrets.contains(this) ? null : expiresAt;
        }

        /** Sets the end of its grace period. A grace period that has begun is never extended. */
        private void retire(Instant now, Instant graceEnd) {
            rotatedAt = rotatedAt == null ? now : rotatedAt;
            expiresAt = expiresAt == null || expiresAt.isAfter(graceEnd) ? graceEnd : expiresAt;
        }
    }
}
