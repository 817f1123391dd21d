package dev.animalstore.key;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.DynamicUpdate;

/** An API key: the identity of an owner, known by its secrets and bound to a plan. */
@Entity
@DynamicUpdate
class ApiKey extends PanacheEntityBase {
    /** The largest page of the operators' list plus one, so that one query loads all its secrets. */
    private static final int PAGE = 101;

    /** The largest increment of a version. */
    private static final int MAXIMUM_STEP = 1 << 24;

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    /** Who it was issued to. */
    String owner;

    @ManyToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "plan")
    Plan plan;

    /** Its own limit, for a plan that has none; otherwise {@code null}. */
    Integer perMinute;

    /** Its own limit, for a plan that has none; otherwise {@code null}. */
    Integer perDay;

    /** Raised by every change, so that replicas detect outdated copies. At most 2<sup>53</sup>, the limit of Lua's integers. */
    long version = 1;

    @Column(updatable = false)
    Instant createdAt;

    /** {@code null} if never. */
    Instant expiresAt;

    /** {@code null} if it was not. */
    Instant revokedAt;

    /** Accurate to a minute, and written by the usage collector only. */
    @Column(insertable = false, updatable = false)
    Instant lastUsedAt;

    /** The newest first. */
    @OneToMany(mappedBy = "key", cascade = CascadeType.PERSIST, orphanRemoval = true)
    @OrderBy("id desc")
    @BatchSize(size = PAGE)
    List<ApiKeySecret> secrets = new ArrayList<>();

    /** The key with that identifier, with its plan. */
    static Optional<ApiKey> find(long id) {
        return find("from ApiKey k join fetch k.plan where k.id = ?1", id).firstResultOptional();
    }

    /** At most {@code count} matching keys after an identifier, in ascending order of their identifiers. */
    static List<ApiKey> page(KeyFilter filter, long after, Instant now, int count) {
        KeyQuery query = new KeyQuery(filter, after, now);
        return find(query.text(), query.parameters()).range(0, count - 1).list();
    }

    /** The existing keys with those identifiers, in ascending order. */
    static List<ApiKey> listAll(List<Long> ids) {
        return list("from ApiKey k join fetch k.plan where k.id in ?1 order by k.id", ids);
    }

    /** The key with that identifier, locked for a change. Other changes of it wait until the transaction ends. */
    static Optional<ApiKey> lock(long id) {
        return findByIdOptional(id, LockModeType.PESSIMISTIC_WRITE);
    }

    /**
     * Raises the version for a change. The increment is random: if PostgreSQL loses a change, the next one must not get the same version,
     * since replicas that know the lost one could not tell them apart.
     */
    void raiseVersion() {
        version += 1 + ThreadLocalRandom.current().nextInt(MAXIMUM_STEP);
    }

    /** Whether the key can still be used, regardless of its secrets. */
    boolean isUsableAt(Instant time) {
        return revokedAt == null && (expiresAt == null || time.isBefore(expiresAt));
    }

    /** The limits of the plan, or its own if the plan has none. */
    KeyLimits limits() {
        return plan.hasLimits() ? new KeyLimits(plan.perMinute, plan.perDay) : new KeyLimits(perMinute, perDay);
    }

    /** Sets its plan, and its own limits if the plan has none. */
    void bind(Plan newPlan, Optional<KeyLimits> own) {
        plan = newPlan;
        perMinute = own.map(KeyLimits::perMinute).orElse(null);
        perDay = own.map(KeyLimits::perDay).orElse(null);
    }

    /** Adds a secret. */
    void add(BearerKey text, Instant now) {
        ApiKeySecret secret = new ApiKeySecret();
        secret.key = this;
        secret.hash = text.hash().bytes();
        secret.hint = text.hint();
        secret.createdAt = now;
        secrets.add(0, secret);
    }

    /** What an operator may see of it. */
    KeyDetails details() {
        return new KeyDetails(
                id,
                owner,
                plan.name,
                limits(),
                version,
                createdAt,
                expiresAt,
                revokedAt,
                lastUsedAt,
                secrets.stream()
                        .map(secret -> new KeyDetails.SecretDetails(secret.hint, secret.createdAt, secret.expiresAt))
                        .toList());
    }
}
