package dev.animalstore.admin;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.IssuedKey;
import dev.animalstore.key.KeyDetails;
import dev.animalstore.key.KeyFilter;
import dev.animalstore.key.KeyRegistry;
import dev.animalstore.key.PlanDetails;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaLimiter;
import io.vertx.core.Future;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The operations on keys, for {@code /admin} and for the console. Each change is committed, then published to all replicas, and then the
 * response is sent: a request sent after the response is decided by the new state. Each operation is audited. Blocks.
 *
 * <p>A change may name the version that the operator has seen. If the key has another version, it fails with {@code conflict}.
 */
@Singleton
public final class KeyOperations {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;

    private final KeyRegistry keys;
    private final VersionPublisher publisher;
    private final QuotaLimiter limiter;
    private final AuditedKey audited;

    KeyOperations(KeyRegistry keys, VersionPublisher publisher, QuotaLimiter limiter, AuditedKey audited) {
        this.keys = keys;
        this.publisher = publisher;
        this.limiter = limiter;
        this.audited = audited;
    }

    /** Issues a key and returns it with its secret. */
    public ManagedKey issue(KeyRequests.NewKey wanted) {
        IssuedKey issued = keys.issue(wanted.owner(), wanted.plan(), wanted.agreedLimits(), wanted.expiry());
        audited.done("issueKey", CREATED, issued.details());
        return show(issued);
    }

    /** At most {@code count} matching keys after an identifier, in ascending order of their identifiers. */
    public List<ManagedKey> list(KeyFilter filter, long after, int count) {
        return show(keys.list(filter, after, count));
    }

    /** The existing keys with those identifiers, in ascending order of their identifiers. */
    public List<ManagedKey> list(List<Long> ids) {
        return show(keys.list(ids));
    }

    /** The plans that a key can be bound to. */
    public List<PlanDetails> plans() {
        return keys.plans();
    }

    /**
     * Checks that a key exists, and sets it in the audit.
     *
     * @throws ApiException {@code not_found}
     */
    public void verify(KeyId id) {
        audited.set(require(keys.find(id.value())));
    }

    /**
     * Returns a key.
     *
     * @throws ApiException {@code not_found}
     */
    public ManagedKey get(KeyId id) {
        KeyDetails key = require(keys.find(id.value()));
        audited.set(key);
        return show(key, null);
    }

    /** Changes the members that the request contains. */
    public ManagedKey change(KeyId id, OptionalLong seen, KeyRequests.Change wanted) {
        KeyDetails changed = require(keys.change(id.value(), seen, wanted.keyChange()));
        publish("changeKey", OK, changed);
        return show(changed, null);
    }

    /** Adds a new secret to a key and returns both. */
    public ManagedKey rotate(KeyId id, OptionalLong seen, KeyRequests.Rotation wanted) {
        IssuedKey issued = require(keys.rotate(id.value(), seen, wanted.grace()));
        publish("rotateKey", CREATED, issued.details());
        return show(issued);
    }

    /** Revokes a key permanently. */
    public void revoke(KeyId id, OptionalLong seen) {
        publish("revokeKey", NO_CONTENT, require(keys.revoke(id.value(), seen)));
    }

    /** Lifts a key's ban, if it has one, and clears its strikes. */
    public void liftBan(KeyId id) {
        KeyDetails key = require(keys.liftBan(id.value()));
        audited.done("liftBan", NO_CONTENT, key);
        publisher.publishLiftedBan(key);
    }

    private void publish(String action, int outcome, KeyDetails changed) {
        audited.done(action, outcome, changed);
        publisher.publish(changed);
    }

    private ManagedKey show(IssuedKey issued) {
        return show(issued.details(), issued.secret().reveal());
    }

    private ManagedKey show(KeyDetails key, String secret) {
        return ManagedKey.of(key, await(peek(key)), secret);
    }

    /** Sends the commands for all keys together, rather than one after the other. */
    private List<ManagedKey> show(List<KeyDetails> listed) {
        List<Future<Decision>> states = listed.stream().map(this::peek).toList();
        await(Future.all(states));
        return IntStream.range(0, listed.size())
                .mapToObj(i -> ManagedKey.of(listed.get(i), states.get(i).result(), null))
                .toList();
    }

    private Future<Decision> peek(KeyDetails key) {
        return limiter.peek(
                key.id(), new Limits(key.limits().perMinute(), key.limits().perDay()));
    }

    private static <T> T await(Future<T> response) {
        return response.toCompletionStage().toCompletableFuture().join();
    }

    private static <T> T require(Optional<T> found) {
        return found.orElseThrow(() -> new ApiException(ErrorCode.NOT_FOUND, "No such key."));
    }
}
