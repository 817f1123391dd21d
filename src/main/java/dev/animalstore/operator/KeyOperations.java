package dev.animalstore.operator;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.KeyDetails;
import dev.animalstore.key.KeyFilter;
import dev.animalstore.key.KeyRegistry;
import dev.animalstore.key.Plan;
import dev.animalstore.operator.KeyRequests.KeyId;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaLimiter;
import dev.animalstore.quota.QuotaLimiter.Subject;
import io.vertx.core.Future;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;

/**
 * The operations on keys, for {@code /admin} and for the console. Each change is committed, then announced to all replicas, and then the
 * response is sent: a request sent after the response is decided by the new state. Each operation is audited. Blocks.
 *
 * <p>A change may name the version that the operator has seen. If the key has another version, it fails with {@code conflict}.
 */
@Singleton
public final class KeyOperations {
    private final KeyRegistry keys;
    private final QuotaLimiter limiter;
    private final Audit audit;

    KeyOperations(KeyRegistry keys, QuotaLimiter limiter, Audit audit) {
        this.keys = keys;
        this.limiter = limiter;
        this.audit = audit;
    }

    /** Issues a key and returns it with its secret. */
    public ManagedKey issue(KeyRequests.NewKey wanted) {
        KeyDetails issued = keys.issue(wanted.owner(), wanted.plan(), wanted.limits(), wanted.expiry());
        return announced("issueKey", Status.CREATED, issued);
    }

    /** At most {@code count} matching keys after an identifier, in ascending order of their identifiers. */
    public List<ManagedKey> list(KeyFilter filter, long after, int count) {
        return show(keys.list(filter, after, count));
    }

    /** The existing keys with those identifiers, in ascending order of their identifiers. */
    public List<ManagedKey> list(List<Long> ids) {
        return show(keys.list(ids));
    }

    /** Whether Redis responds now, so that quotas and bans are those of all replicas. */
    public boolean areQuotasShared() {
        return await(limiter.isShared(QuotaLimiter.NOBODY));
    }

    /** The plans that a key can be bound to. */
    public List<Plan> plans() {
        return keys.plans();
    }

    /**
     * Returns a key.
     *
     * @throws ApiException {@code not_found}
     */
    public ManagedKey get(KeyId id) {
        KeyDetails key = keys.get(id.value());
        audit.set(key);
        return await(show(key));
    }

    /**
     * Returns the key that a secret belongs to, also if it is revoked or expired.
     *
     * @throws ApiException {@code validation_failed} if it is not a well-formed secret; {@code not_found}
     */
    public ManagedKey lookUp(KeyRequests.Lookup wanted) {
        KeyDetails key = keys.get(wanted.key());
        audit.set(key, "lookupKey", Status.OK);
        return await(show(key));
    }

    /** Changes the members that the request contains. */
    public ManagedKey change(KeyId id, OptionalLong seen, KeyRequests.Change wanted) {
        KeyDetails changed =
                keys.change(id.value(), seen, wanted.owner(), wanted.plan(), wanted.limits(), wanted.expiresAt());
        return announced("changeKey", Status.OK, changed);
    }

    /** Adds a new secret to a key and returns both. */
    public ManagedKey rotate(KeyId id, OptionalLong seen, KeyRequests.Rotation wanted) {
        KeyDetails issued = keys.rotate(id.value(), seen, Duration.ofSeconds(wanted.graceSeconds()));
        return announced("rotateKey", Status.CREATED, issued);
    }

    /** Revokes a key permanently, and returns its new version. */
    public long revoke(KeyId id, OptionalLong seen) {
        KeyDetails revoked = keys.revoke(id.value(), seen);
        announce("revokeKey", Status.NO_CONTENT, revoked);
        return revoked.version();
    }

    /**
     * Lifts a key's ban, if it has one, clears its strikes, and returns its new version.
     *
     * @throws ApiException {@code service_unavailable} while Redis is unavailable; nothing is changed then, unless it fails after it has just
     *     responded
     */
    public long liftBan(KeyId id, OptionalLong seen) {
        requireShared(await(limiter.isShared(id.value())));
        KeyDetails key = keys.touch(id.value(), seen);
        requireShared(await(limiter.liftBan(subject(key)).map(true).otherwise(false)));
        audit.set(key, "liftBan", Status.NO_CONTENT);
        return key.version();
    }

    private static void requireShared(boolean shared) {
        if (!shared) {
            throw new ApiException(
                    ErrorCode.SERVICE_UNAVAILABLE, "Bans cannot be lifted while Redis is unavailable. Retry later.");
        }
    }

    private ManagedKey announced(String action, Status outcome, KeyDetails changed) {
        announce(action, outcome, changed);
        return await(show(changed));
    }

    private void announce(String action, Status outcome, KeyDetails changed) {
        audit.set(changed, action, outcome);
        await(limiter.announce(subject(changed)));
    }

    /** Sends the commands for all keys together, rather than one after the other. */
    private List<ManagedKey> show(List<KeyDetails> listed) {
        return await(Future.all(listed.stream().map(this::show).toList())).list();
    }

    private Future<ManagedKey> show(KeyDetails key) {
        Limits limits = new Limits(key.limits().perMinute(), key.limits().perDay());
        return limiter.peek(subject(key), limits).map(state -> new ManagedKey(key, state));
    }

    private static Subject subject(KeyDetails key) {
        return new Subject(key.id(), key.version(), key.origin());
    }

    private static <T> T await(Future<T> response) {
        try {
            return response.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }
}
