package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.UnraisedVersions.KeyVersion;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Issues, changes, rotates and revokes keys. Each method is one transaction. Those that change a key lock its row first and raise its
 * version, so concurrent changes are serialised and none is lost. When a method has returned, the caller publishes the new version to the
 * replicas, and then deletes it from the {@link UnraisedVersions}.
 */
@ApplicationScoped
@Transactional
public class KeyRegistry {
    private static final Logger LOG = Logger.getLogger(KeyRegistry.class);

    private final UnraisedVersions unraised;
    private final KeyConfig config;
    private final Clock clock;

    KeyRegistry(UnraisedVersions unraised, KeyConfig config, Clock clock) {
        this.unraised = unraised;
        this.config = config;
        this.clock = clock;
    }

    /**
     * Issues a key with its first secret.
     *
     * @param limits only for a plan that has none of its own, for which they are required
     * @param expiresAt when the key expires; {@code null} if never
     * @throws ApiException {@code validation_failed} if the plan is unknown or the limits do not match it
     */
    public IssuedKey issue(String owner, String plan, Optional<KeyLimits> limits, Instant expiresAt) {
        Instant now = now();
        Plan wanted = requirePlan(plan);
        ApiKey key = new ApiKey();
        key.owner = owner;
        key.bind(wanted, wanted.agree(limits));
        key.createdAt = now;
        key.expiresAt = truncated(expiresAt);
        return addSecret(key, now);
    }

    /** The matching keys after an identifier, in ascending order. */
    public List<KeyDetails> list(KeyFilter filter, long after, int count) {
        return ApiKey.page(filter, after, clock.instant(), count).stream()
                .map(ApiKey::details)
                .toList();
    }

    /** The existing keys with those identifiers, in ascending order. */
    public List<KeyDetails> list(List<Long> ids) {
        return ApiKey.listAll(ids).stream().map(ApiKey::details).toList();
    }

    /** All plans, those with limits per key last. */
    public List<PlanDetails> plans() {
        return Plan.listInOrder().stream()
                .map(plan -> new PlanDetails(
                        plan.name,
                        plan.hasLimits() ? Optional.of(new KeyLimits(plan.perMinute, plan.perDay)) : Optional.empty()))
                .toList();
    }

    /** The key with that identifier. */
    public Optional<KeyDetails> find(long id) {
        return ApiKey.find(id).map(ApiKey::details);
    }

    /**
     * Changes a key. Members that the change does not mention stay the same.
     *
     * @param seen the version that the caller has seen, if the change requires it to be current
     * @return the changed key, or empty if it does not exist
     * @throws ApiException {@code validation_failed} as {@link #issue}; {@code conflict} for a revoked key, or another version
     */
    public Optional<KeyDetails> change(long id, OptionalLong seen, KeyChange change) {
        return lock(id, seen).map(key -> {
            if (key.revokedAt != null) {
                throw new ApiException(ErrorCode.CONFLICT, "The key is permanently revoked.");
            }
            Plan plan = change.plan().map(this::requirePlan).orElse(key.plan);
            Optional<KeyLimits> own =
                    key.plan.hasLimits() || plan.hasLimits() ? Optional.empty() : Optional.of(key.limits());
            key.bind(plan, plan.agree(change.limits().or(() -> own)));
            key.owner = change.owner().orElse(key.owner);
            key.expiresAt = change.expiry().isPresent()
                    ? truncated(change.expiry().get().at())
                    : key.expiresAt;
            return key.details();
        });
    }

    /**
     * Adds a new secret to a key. The existing ones work until {@code grace} has passed, or end at once if it is zero.
     *
     * @param seen as for {@link #change}
     * @return the key with its new secret, or empty if it does not exist
     * @throws ApiException {@code conflict} for a key that is revoked or expired, or another version
     */
    public Optional<IssuedKey> rotate(long id, OptionalLong seen, Duration grace) {
        return lock(id, seen).map(key -> {
            Instant now = now();
            if (!key.isUsableAt(now)) {
                throw new ApiException(ErrorCode.CONFLICT, "The key has been revoked or has expired.");
            }
            if (grace.isZero()) {
                // Removed rather than expired, so differences between the replicas' clocks do not matter.
                key.secrets.clear();
            } else {
                key.secrets.removeIf(secret -> secret.hasEndedBy(now));
                key.secrets.forEach(secret -> secret.retire(now, now.plus(grace)));
            }
            return addSecret(key, now);
        });
    }

    /**
     * Revokes a key permanently. Doing so again changes nothing.
     *
     * @param seen as for {@link #change}
     * @return the revoked key, or empty if it does not exist
     * @throws ApiException {@code conflict} for another version
     */
    public Optional<KeyDetails> revoke(long id, OptionalLong seen) {
        return lock(id, seen).map(key -> {
            key.revokedAt = key.revokedAt == null ? now() : key.revokedAt;
            return key.details();
        });
    }

    /**
     * Records that a key's ban is lifted. The ban ends when the new version is published.
     *
     * @param seen as for {@link #change}
     * @return the key, or empty if it does not exist
     * @throws ApiException {@code conflict} for another version
     */
    public Optional<KeyDetails> liftBan(long id, OptionalLong seen) {
        return lock(id, seen, true).map(ApiKey::details);
    }

    /**
     * Gives a key whose version in PostgreSQL is behind the one in Redis a version that is newer than both, and changes nothing else. Logs
     * a warning.
     *
     * @return the current version of the key, not older than {@code known}
     */
    public long overtake(long id, long known) {
        return ApiKey.lock(id)
                .map(key -> {
                    if (key.version < known) {
                        LOG.warnf(
                                "PostgreSQL has gone back: key %d has version %d there, but version %d in Redis."
                                        + " The data in PostgreSQL is used",
                                id, key.version, known);
                        key.version = known + 1;
                        unraised.add(new KeyVersion(id, key.version, false));
                    }
                    return key.version;
                })
                .orElse(known);
    }

    /** The data that admission needs of a secret's key. One query, without a transaction, from any thread. */
    @ActivateRequestContext
    @Transactional(TxType.SUPPORTS)
    Optional<CachedKey> findKnown(KeyHash secret) {
        return ApiKeySecret.findKnown(secret);
    }

    private Optional<ApiKey> lock(long id, OptionalLong seen) {
        return lock(id, seen, false);
    }

    /** Locks a key, raises its version, and records that the version is to be published to the replicas. */
    private Optional<ApiKey> lock(long id, OptionalLong seen, boolean banLifted) {
        Optional<ApiKey> locked = ApiKey.lock(id);
        locked.ifPresent(key -> {
            if (seen.isPresent() && seen.getAsLong() != key.version) {
                throw new ApiException(ErrorCode.CONFLICT, "The key was changed meanwhile.");
            }
            key.raiseVersion();
            unraised.add(new KeyVersion(id, key.version, banLifted));
        });
        return locked;
    }

    private Plan requirePlan(String name) {
        List<Plan> plans = Plan.listInOrder();
        return plans.stream()
                .filter(plan -> plan.name.equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.invalidFields(Map.of(
                        "plan",
                        "must be one of "
                                + plans.stream().map(plan -> plan.name).collect(Collectors.joining(", ")))));
    }

    private IssuedKey addSecret(ApiKey key, Instant now) {
        // Created here and not kept, so that a native image cannot contain a generator that was seeded at build time.
        BearerKey secret = BearerKey.generate(config.environment(), new SecureRandom());
        key.add(secret, now);
        key.persist();
        return new IssuedKey(key.details(), secret);
    }

    private Instant now() {
        return truncated(clock.instant());
    }

    /** A time truncated to microseconds, as PostgreSQL stores it, so that the response equals what is read later. */
    private static Instant truncated(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
    }
}
