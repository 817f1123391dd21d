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
 * Issues, changes, rotates and revokes keys. Each method is one transaction; those that change a key lock its row first and raise its
 * version, so that changes made at the same time follow each other and none is lost. The caller tells the replicas of the new version once
 * the method has returned, and then forgets it among the {@link UnraisedVersions}.
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
     * @param limits only for a plan that has none of its own, and required there
     * @param expiresAt when the key ends; {@code null} if never
     * @throws ApiException {@code validation_failed} where the plan is unknown or the limits do not go with it
     */
    public IssuedKey issue(String owner, String plan, Optional<KeyLimits> limits, Instant expiresAt) {
        Instant now = now();
        Plan wanted = requirePlan(plan);
        ApiKey key = new ApiKey();
        key.owner = owner;
        key.bind(wanted, wanted.agree(limits));
        key.createdAt = now;
        key.expiresAt = kept(expiresAt);
        return addSecret(key, now);
    }

    /** The keys after an identifier that a filter lets pass, in ascending order. */
    public List<KeyDetails> list(KeyFilter filter, long after, int count) {
        return ApiKey.page(filter, after, clock.instant(), count).stream()
                .map(ApiKey::details)
                .toList();
    }

    /** The keys of those identifiers that there are, in ascending order. */
    public List<KeyDetails> list(List<Long> ids) {
        return ApiKey.listAll(ids).stream().map(ApiKey::details).toList();
    }

    /** All plans, those that leave the limits to each key last. */
    public List<PlanDetails> plans() {
        return Plan.listInOrder().stream()
                .map(plan -> new PlanDetails(
                        plan.name,
                        plan.hasLimits() ? Optional.of(new KeyLimits(plan.perMinute, plan.perDay)) : Optional.empty()))
                .toList();
    }

    /** The key of that identifier. */
    public Optional<KeyDetails> find(long id) {
        return ApiKey.find(id).map(ApiKey::details);
    }

    /**
     * Changes a key; what the change does not mention stays.
     *
     * @param seen the version that the caller has seen, if the change is to be made to no other
     * @return the changed key, or empty where there is none of that identifier
     * @throws ApiException {@code validation_failed} as {@link #issue}; {@code conflict} for a revoked key, or another version
     */
    public Optional<KeyDetails> change(long id, OptionalLong seen, KeyChange change) {
        return lock(id, seen).map(key -> {
            if (key.revokedAt != null) {
                throw new ApiException(ErrorCode.CONFLICT, "The key has been revoked for good.");
            }
            Plan plan = change.plan().map(this::requirePlan).orElse(key.plan);
            Optional<KeyLimits> own =
                    key.plan.hasLimits() || plan.hasLimits() ? Optional.empty() : Optional.of(key.limits());
            key.bind(plan, plan.agree(change.limits().or(() -> own)));
            key.owner = change.owner().orElse(key.owner);
            key.expiresAt =
                    change.expiry().isPresent() ? kept(change.expiry().get().at()) : key.expiresAt;
            return key.details();
        });
    }

    /**
     * Gives a key a new secret. The present ones work for as long as {@code grace} lasts, or not at all any more where it is zero.
     *
     * @param seen as for {@link #change}
     * @return the key with its new secret, or empty where there is none of that identifier
     * @throws ApiException {@code conflict} for a key that is revoked or expired, or another version
     */
    public Optional<IssuedKey> rotate(long id, OptionalLong seen, Duration grace) {
        return lock(id, seen).map(key -> {
            Instant now = now();
            if (!key.isUsableAt(now)) {
                throw new ApiException(ErrorCode.CONFLICT, "The key has been revoked or has expired.");
            }
            if (grace.isZero()) {
                // Gone, rather than expired, so that it does not matter whether the replicas' clocks agree.
                key.secrets.clear();
            } else {
                key.secrets.removeIf(secret -> secret.hasEndedBy(now));
                key.secrets.forEach(secret -> secret.retire(now, now.plus(grace)));
            }
            return addSecret(key, now);
        });
    }

    /**
     * Revokes a key for good. Doing so again changes nothing.
     *
     * @param seen as for {@link #change}
     * @return the revoked key, or empty where there is none of that identifier
     * @throws ApiException {@code conflict} for another version
     */
    public Optional<KeyDetails> revoke(long id, OptionalLong seen) {
        return lock(id, seen).map(key -> {
            key.revokedAt = key.revokedAt == null ? now() : key.revokedAt;
            return key.details();
        });
    }

    /**
     * Records that the ban of a key is lifted, which ends the ban once the new version has been made known.
     *
     * @param seen as for {@link #change}
     * @return the key, or empty where there is none of that identifier
     * @throws ApiException {@code conflict} for another version
     */
    public Optional<KeyDetails> liftBan(long id, OptionalLong seen) {
        return lock(id, seen, true).map(ApiKey::details);
    }

    /**
     * Gives a key that has gone back behind a version that Redis knows a newer one than that, as a change would, and changes nothing else.
     * Logs that this was necessary.
     *
     * @return the version of the key by now, not older than {@code known}
     */
    public long overtake(long id, long known) {
        return ApiKey.lock(id)
                .map(key -> {
                    if (key.version < known) {
                        LOG.warnf(
                                "PostgreSQL has gone back: key %d has version %d there, and Redis knows version %d."
                                        + " What PostgreSQL holds counts",
                                id, key.version, known);
                        key.version = known + 1;
                        unraised.add(new KeyVersion(id, key.version, false));
                    }
                    return key.version;
                })
                .orElse(known);
    }

    /** What admission needs to know of the key with a secret. One query, without a transaction, from any thread. */
    @ActivateRequestContext
    @Transactional(TxType.SUPPORTS)
    Optional<CachedKey> findKnown(KeyHash secret) {
        return ApiKeySecret.findKnown(secret);
    }

    private Optional<ApiKey> lock(long id, OptionalLong seen) {
        return lock(id, seen, false);
    }

    /** Locks a key whose version this transaction raises, and records that the replicas are to be told. */
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
        // Made here and not kept, so that a native image cannot hold a generator that was seeded when it was built.
        BearerKey secret = BearerKey.generate(config.environment(), new SecureRandom());
        key.add(secret, now);
        key.persist();
        return new IssuedKey(key.details(), secret);
    }

    private Instant now() {
        return kept(clock.instant());
    }

    /** A time to the microsecond, as PostgreSQL keeps it, so that what is answered now is what is read later. */
    private static Instant kept(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
    }
}
