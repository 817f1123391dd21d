package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Issues, changes, rotates and revokes keys. Each method is one transaction; those that change a key lock its row first and raise its
 * version, so that changes made at the same time follow each other and none is lost. The caller tells the replicas of the new version once
 * the method has returned.
 */
@ApplicationScoped
@Transactional
public class KeyRegistry {
    private final KeyConfig config;
    private final Clock clock;

    KeyRegistry(KeyConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /**
     * Issues a key with its first secret.
     *
     * @param limits only for a plan that has none of its own, and required there
     * @param expiresAt when the key ends; {@code null} if never
     * @throws ApiException {@code validation_failed} where the plan is unknown or the limits do not go with it
     */
    public IssuedKey issue(String owner, String plan, Optional<KeyLimits> limits, Instant expiresAt) {
        ApiKey key = new ApiKey();
        key.owner = owner;
        key.createdAt = now();
        key.expiresAt = kept(expiresAt);
        key.bind(Plan.require(plan), limits);
        key.persist();
        return addSecret(key, key.createdAt);
    }

    /**
     * The keys after an identifier, in ascending order.
     *
     * @param owner whose keys; empty for all
     */
    public List<KeyDetails> list(Optional<String> owner, long after, int count) {
        return ApiKey.findPage(owner, after, count).stream()
                .map(ApiKey::details)
                .toList();
    }

    /** The key of that identifier. */
    public Optional<KeyDetails> find(long id) {
        return ApiKey.findKey(id).map(ApiKey::details);
    }

    /**
     * Changes a key; what the change does not mention stays.
     *
     * @return the changed key, or empty where there is none of that identifier
     * @throws ApiException {@code validation_failed} as {@link #issue}; {@code conflict} for a revoked key
     */
    public Optional<KeyDetails> change(long id, KeyChange change) {
        return lock(id).map(key -> {
            if (key.revokedAt != null) {
                throw new ApiException(ErrorCode.CONFLICT, "The key has been revoked for good.");
            }
            change.owner().ifPresent(owner -> key.owner = owner);
            change.expiry().ifPresent(expiry -> key.expiresAt = kept(expiry.at()));
            if (change.plan().isPresent() || change.limits().isPresent()) {
                Plan plan = change.plan().map(Plan::require).orElse(key.plan);
                key.bind(plan, change.limits().or(() -> plan.hasLimits() ? Optional.empty() : key.ownLimits()));
            }
            return key.details();
        });
    }

    /**
     * Gives a key a new secret. The present ones work for as long as {@code grace} lasts, or not at all any more where it is zero.
     *
     * @return the key with its new secret, or empty where there is none of that identifier
     * @throws ApiException {@code conflict} for a key that is revoked or expired
     */
    public Optional<IssuedKey> rotate(long id, Duration grace) {
        return lock(id).map(key -> {
            Instant now = now();
            if (key.revokedAt != null || (key.expiresAt != null && !now.isBefore(key.expiresAt))) {
                throw new ApiException(ErrorCode.CONFLICT, "The key has been revoked or has expired.");
            }
            key.secrets.removeIf(secret -> secret.isOver(now));
            if (grace.isZero()) {
                // Gone, rather than expired, so that it does not matter whether the replicas' clocks agree.
                key.secrets.clear();
            } else {
                key.secrets.forEach(secret -> secret.retire(now, now.plus(grace)));
            }
            return addSecret(key, now);
        });
    }

    /**
     * Revokes a key for good. Doing so again changes nothing.
     *
     * @return the revoked key, or empty where there is none of that identifier
     */
    public Optional<KeyDetails> revoke(long id) {
        return lock(id).map(key -> {
            if (key.revokedAt == null) {
                key.revokedAt = now();
            }
            return key.details();
        });
    }

    private static Optional<ApiKey> lock(long id) {
        Optional<ApiKey> key = ApiKey.lockKey(id);
        key.ifPresent(locked -> locked.version++);
        return key;
    }

    private IssuedKey addSecret(ApiKey key, Instant now) {
        // Made here and not kept, so that a native image cannot hold a generator that was seeded when it was built.
        BearerKey text = BearerKey.generate(config.environment(), new SecureRandom());
        Secret secret = new Secret();
        secret.key = key;
        secret.hash = text.hash().bytes();
        secret.hint = text.hint();
        secret.createdAt = now;
        key.secrets.add(0, secret);
        return new IssuedKey(key.details(), text);
    }

    private Instant now() {
        return kept(clock.instant());
    }

    /** A time to the microsecond, as PostgreSQL keeps it, so that what is answered now is what is read later. */
    private static Instant kept(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
    }
}
