package dev.animalstore.key;

import dev.animalstore.error.ApiException;
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
import java.time.temporal.ChronoUnit;
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

    /** The largest increment of a version: a millisecond. */
    private static final int MAXIMUM_STEP = 1000;

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    String owner;

    @ManyToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "plan")
    Plan plan;

    /** Its own limits, for a plan that has none; otherwise {@code null}. */
    Integer perMinute;

    Integer perDay;

    /** Raised by every change, so that replicas detect outdated copies. At most 2<sup>53</sup>, the limit of Lua's integers. */
    long version;

    @Column(updatable = false)
    Instant createdAt;

    /** {@code null} if never. */
    Instant expiresAt;

    /** {@code null} if never. */
    Instant revokedAt;

    /** Accurate to a minute, and written by the usage collector only. */
    @Column(insertable = false, updatable = false)
    Instant lastUsedAt;

    /** The newest first. */
    @OneToMany(mappedBy = "key", cascade = CascadeType.PERSIST, orphanRemoval = true)
    @OrderBy("id desc")
    @BatchSize(size = PAGE)
    List<Secret> secrets = new ArrayList<>();

    static Optional<ApiKey> find(long id) {
        return find("from ApiKey k join fetch k.plan where k.id = ?1", id).firstResultOptional();
    }

    static List<ApiKey> listAll(List<Long> ids) {
        return list("from ApiKey k join fetch k.plan where k.id in ?1 order by k.id", ids);
    }

    /** The key of a secret that is the current one, or whose grace period has not ended, including revoked and expired keys. */
    static Optional<ApiKey> find(KeyHash hash, Instant now) {
        return find("""
                        select k from ApiKeySecret s join s.key k join fetch k.plan
                        where s.hash = ?1 and (s.expiresAt is null or s.expiresAt > ?2)""", hash.bytes(), now).firstResultOptional();
    }

    /** The key with that identifier, locked for a change. Other changes of it wait until the transaction ends. */
    static Optional<ApiKey> lock(long id) {
        return findByIdOptional(id, LockModeType.PESSIMISTIC_WRITE);
    }

    /**
     * Gives the key a version that is newer than another one, and not older than the present time in microseconds. So if PostgreSQL loses a
     * change, or its number was another key's before, later versions are still newer. The increment is random, in case the replicas' clocks
     * differ.
     */
    void raiseVersion(long above, Instant now) {
        version = Math.max(above, micros(now)) + 1 + ThreadLocalRandom.current().nextInt(MAXIMUM_STEP);
    }

    /** A time in microseconds since 1970. */
    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** Whether the key can still be used, regardless of its secrets. */
    boolean isUsableAt(Instant time) {
        return revokedAt == null && (expiresAt == null || time.isBefore(expiresAt));
    }

    /** The limits of the plan, or its own if the plan has none. */
    KeyLimits limits() {
        return plan.perMinute == null ? new KeyLimits(perMinute, perDay) : plan.limits();
    }

    /**
     * Sets its plan, and its own limits: {@code null} if the plan has some.
     *
     * @throws ApiException {@code validation_failed} if the plan has limits as well, or if neither has
     */
    void bind(Plan newPlan, KeyLimits own) {
        newPlan.verify(own);
        plan = newPlan;
        perMinute = own == null ? null : own.perMinute();
        perDay = own == null ? null : own.perDay();
    }

    void add(BearerKey text, Instant now) {
        Secret secret = new Secret();
        secret.key = this;
        secret.hash = text.hash().bytes();
        secret.hint = text.hint();
        secret.createdAt = now;
        secrets.add(0, secret);
    }

    /**
     * What an operator may see of it.
     *
     * @param issued the secret that was just added, or {@code null}
     */
    KeyDetails details(BearerKey issued) {
        return new KeyDetails(
                id,
                owner,
                plan.name(),
                limits(),
                version,
                createdAt,
                expiresAt,
                revokedAt,
                lastUsedAt,
                secrets.stream()
                        .map(secret -> new KeyDetails.SecretDetails(secret.hint, secret.createdAt, secret.expiresAt))
                        .toList(),
                issued);
    }

    /** A secret of a key, the string that a client sends. There is one, and during a grace period after a rotation there are two or more. */
    @Entity(name = "ApiKeySecret")
    static class Secret extends PanacheEntityBase {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        @ManyToOne(fetch = FetchType.LAZY)
        ApiKey key;

        /** SHA-256 of the secret, which itself is never stored. */
        @Column(updatable = false)
        byte[] hash;

        @Column(updatable = false)
        String hint;

        @Column(updatable = false)
        Instant createdAt;

        /** When a newer secret replaced it; {@code null} while it is the current one. */
        Instant rotatedAt;

        /** When it stops working; {@code null} while it is the current one. */
        Instant expiresAt;

        /** The data that admission needs of a secret's key, by one query. */
        static Optional<CachedKey> findKnown(KeyHash hash) {
            return find("""
                        select k.id, p.name, coalesce(p.perMinute, k.perMinute), coalesce(p.perDay, k.perDay),
                               k.version, k.createdAt, k.expiresAt, k.revokedAt, s.rotatedAt, s.expiresAt
                        from ApiKeySecret s join s.key k join k.plan p where s.hash = ?1""", (Object) hash.bytes()).project(CachedKey.class).firstResultOptional();
        }

        /** Sets the end of its grace period. A grace period that has begun is never extended. */
        void retire(Instant now, Instant graceEnd) {
            rotatedAt = rotatedAt == null ? now : rotatedAt;
            expiresAt = expiresAt == null || expiresAt.isAfter(graceEnd) ? graceEnd : expiresAt;
        }

        boolean hasEndedBy(Instant now) {
            return expiresAt != null && !expiresAt.isAfter(now);
        }
    }
}
