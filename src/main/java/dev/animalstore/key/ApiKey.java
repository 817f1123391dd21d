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

/** The right of an owner to send requests: an identity that is known by its secrets, and bound to a plan. */
@Entity
@DynamicUpdate
class ApiKey extends PanacheEntityBase {
    /** As many keys as the operators' list shows at once, so that their secrets come by one query. */
    private static final int PAGE = 101;

    /** The largest step of a version. */
    private static final int MAXIMUM_STEP = 1 << 24;

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    /** Whom it was issued to. */
    String owner;

    @ManyToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "plan")
    Plan plan;

    /** Its own limit, for a plan that has none; otherwise {@code null}. */
    Integer perMinute;

    /** Its own limit, for a plan that has none; otherwise {@code null}. */
    Integer perDay;

    /** Raised by every change, so that a replica notices that its copy is outdated. At most 2<sup>53</sup>, as exact as Lua counts. */
    long version = 1;

    @Column(updatable = false)
    Instant createdAt;

    /** {@code null} if never. */
    Instant expiresAt;

    /** {@code null} if it was not. */
    Instant revokedAt;

    /** True to a minute, and written by the collector of usage alone. */
    @Column(insertable = false, updatable = false)
    Instant lastUsedAt;

    /** The newest first. */
    @OneToMany(mappedBy = "key", cascade = CascadeType.PERSIST, orphanRemoval = true)
    @OrderBy("id desc")
    @BatchSize(size = PAGE)
    List<ApiKeySecret> secrets = new ArrayList<>();

    /** The key of that identifier with its plan, if there is one. */
    static Optional<ApiKey> find(long id) {
        return find("from ApiKey k join fetch k.plan where k.id = ?1", id).firstResultOptional();
    }

    /** At most {@code count} keys after an identifier that a filter lets pass at a time, in ascending order of their identifiers. */
    static List<ApiKey> page(KeyFilter filter, long after, Instant now, int count) {
        KeyQuery query = new KeyQuery(filter, after, now);
        return find(query.text(), query.parameters()).range(0, count - 1).list();
    }

    /** The keys of those identifiers that there are, in ascending order. */
    static List<ApiKey> listAll(List<Long> ids) {
        return list("from ApiKey k join fetch k.plan where k.id in ?1 order by k.id", ids);
    }

    /** The key of that identifier for a change. Other changes of it wait until the transaction ends. */
    static Optional<ApiKey> lock(long id) {
        return findByIdOptional(id, LockModeType.PESSIMISTIC_WRITE);
    }

    /**
     * Raises the version for a change. The step is random: if PostgreSQL loses a change, the next one must not be given its version, since
     * replicas that know the lost one would take the two for the same.
     */
    void raiseVersion() {
        version += 1 + ThreadLocalRandom.current().nextInt(MAXIMUM_STEP);
    }

    /** Whether it can still be used, as far as that depends on the key and not on its secrets. */
    boolean isUsableAt(Instant time) {
        return revokedAt == null && (expiresAt == null || time.isBefore(expiresAt));
    }

    /** The limits of the plan, or its own if the plan has none. */
    KeyLimits limits() {
        return plan.hasLimits() ? new KeyLimits(plan.perMinute, plan.perDay) : new KeyLimits(perMinute, perDay);
    }

    /** Puts it on a plan, with limits of its own if the plan has none. */
    void bind(Plan newPlan, Optional<KeyLimits> own) {
        plan = newPlan;
        perMinute = own.map(KeyLimits::perMinute).orElse(null);
        perDay = own.map(KeyLimits::perDay).orElse(null);
    }

    /** Makes it known by one more secret. */
    void add(BearerKey text, Instant now) {
        ApiKeySecret secret = new ApiKeySecret();
        secret.key = this;
        secret.hash = text.hash().bytes();
        secret.hint = text.hint();
        secret.createdAt = now;
        secrets.add(0, secret);
    }

    /** All that an operator may see of it. */
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
