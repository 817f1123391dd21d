package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
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
 * version, so concurrent changes are serialised and none is lost. When a method has returned, the caller announces the new version to the
 * replicas.
 */
@ApplicationScoped
@Transactional
public class KeyRegistry {
    private static final Logger LOG = Logger.getLogger(KeyRegistry.class);

    private final KeyConfig config;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    KeyRegistry(KeyConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /**
     * Issues a key with its first secret.
     *
     * @param limits only for a plan that has none of its own, for which they are required; otherwise {@code null}
     * @param expiresAt when the key expires; {@code null} if never
     * @throws ApiException {@code validation_failed} if the plan is unknown or the limits do not match it
     */
    public KeyDetails issue(String owner, String plan, KeyLimits limits, Instant expiresAt) {
        Instant now = now();
        ApiKey key = new ApiKey();
        key.owner = owner;
        key.bind(getPlan(plan), limits);
        key.createdAt = now;
        key.raiseVersion(0, now);
        key.expiresAt = truncated(expiresAt);
        return addSecret(key, now);
    }

    /** The matching keys after an identifier, in ascending order. */
    public List<KeyDetails> list(KeyFilter filter, long after, int count) {
        return details(filter.page(after, clock.instant(), count));
    }

    /** The existing keys with those identifiers, in ascending order. */
    public List<KeyDetails> list(List<Long> ids) {
        return details(ApiKey.listAll(ids));
    }

    private static List<KeyDetails> details(List<ApiKey> keys) {
        return keys.stream().map(key -> key.details(null)).toList();
    }

    /** All plans, those with limits per key last. */
    public List<Plan> plans() {
        return Plan.listInOrder();
    }

    /**
     * The key with that identifier.
     *
     * @throws ApiException {@code not_found}
     */
    public KeyDetails get(long id) {
        return require(ApiKey.find(id)).details(null);
    }

    /**
     * The key that a secret belongs to, revoked and expired ones too. A secret whose grace period has ended belongs to none.
     *
     * @throws ApiException {@code validation_failed}, without a query, if the text is not a well-formed secret; {@code not_found}
     */
    public KeyDetails get(String text) {
        BearerKey secret = BearerKey.parse(text, config.environment())
                .orElseThrow(() -> ApiException.invalidFields(
                        Map.of("key", "must be a whole API key of this environment, with a valid checksum")));
        return require(ApiKey.find(secret.hash(), clock.instant())).details(null);
    }

    /**
     * Changes a key. What is {@code null} stays the same.
     *
     * @param seen the version that the caller has seen, if the change requires it to be current
     * @param expiresAt when the key expires; empty if never
     * @throws ApiException {@code validation_failed} as {@link #issue}; {@code not_found}; {@code conflict} for a revoked key, or another
     *     version
     */
    public KeyDetails change(
            long id, OptionalLong seen, String owner, String plan, KeyLimits limits, Optional<Instant> expiresAt) {
        ApiKey key = lock(id, seen);
        if (key.revokedAt != null) {
            throw new ApiException(ErrorCode.CONFLICT, "The key is permanently revoked.");
        }
        Plan next = plan == null ? key.plan : getPlan(plan);
        boolean keepsLimits = limits == null && key.plan.limits() == null && next.limits() == null;
        key.bind(next, keepsLimits ? key.limits() : limits);
        key.owner = owner == null ? key.owner : owner;
        key.expiresAt = expiresAt == null ? key.expiresAt : truncated(expiresAt.orElse(null));
        return key.details(null);
    }

    /**
     * Adds a new secret to a key. The existing ones work until {@code grace} has passed, or end at once if it is zero.
     *
     * @param seen as for {@link #change}
     * @throws ApiException {@code not_found}; {@code conflict} for a key that is revoked or expired, or another version
     */
    public KeyDetails rotate(long id, OptionalLong seen, Duration grace) {
        ApiKey key = lock(id, seen);
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
    }

    /**
     * Revokes a key permanently. Doing so again changes nothing.
     *
     * @param seen as for {@link #change}
     * @throws ApiException {@code not_found}; {@code conflict} for another version
     */
    public KeyDetails revoke(long id, OptionalLong seen) {
        ApiKey key = lock(id, seen);
        key.revokedAt = key.revokedAt == null ? now() : key.revokedAt;
        return key.details(null);
    }

    /**
     * Gives a key a new version without another change, so that bans that replicas have imposed locally end.
     *
     * @param seen as for {@link #change}
     * @throws ApiException as {@link #revoke}
     */
    public KeyDetails touch(long id, OptionalLong seen) {
        return lock(id, seen).details(null);
    }

    /**
     * Gives a key whose version in PostgreSQL is behind the one in Redis a version that is newer than both, and changes nothing else. Logs
     * a warning.
     */
    public void overtake(long id, long known) {
        ApiKey.lock(id).filter(key -> key.version < known).ifPresent(key -> {
            LOG.warnf(
                    "PostgreSQL has gone back: key %d has version %d there, but version %d in Redis."
                            + " The data in PostgreSQL is used",
                    id, key.version, known);
            key.raiseVersion(known, clock.instant());
        });
    }

    /** The data that admission needs of a secret's key. One query, without a transaction, from any thread. */
    @ActivateRequestContext
    @Transactional(TxType.SUPPORTS)
    Optional<CachedKey> findKnown(KeyHash hash) {
        return ApiKey.Secret.findKnown(hash);
    }

    private ApiKey lock(long id, OptionalLong seen) {
        ApiKey key = require(ApiKey.lock(id));
        if (seen.isPresent() && seen.getAsLong() != key.version) {
            throw new ApiException(ErrorCode.CONFLICT, "The key was changed meanwhile.");
        }
        key.raiseVersion(key.version, clock.instant());
        return key;
    }

    private static ApiKey require(Optional<ApiKey> found) {
        return found.orElseThrow(() -> new ApiException(ErrorCode.NOT_FOUND, "No such key."));
    }

    private static Plan getPlan(String name) {
        List<Plan> plans = Plan.listInOrder();
        return plans.stream()
                .filter(plan -> plan.name.equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.invalidFields(Map.of(
                        "plan",
                        "must be one of " + plans.stream().map(Plan::name).collect(Collectors.joining(", ")))));
    }

    private KeyDetails addSecret(ApiKey key, Instant now) {
        BearerKey secret = BearerKey.generate(config.environment(), random);
        key.add(secret, now);
        key.persist();
        return key.details(secret);
    }

    private Instant now() {
        return truncated(clock.instant());
    }

    /** A time truncated to microseconds, as PostgreSQL stores it, so that the response equals what is read later. */
    private static Instant truncated(Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
    }
}
