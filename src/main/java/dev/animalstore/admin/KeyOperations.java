package dev.animalstore.admin;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.IssuedKey;
import dev.animalstore.key.KeyDetails;
import dev.animalstore.key.KeyFilter;
import dev.animalstore.key.KeyRegistry;
import dev.animalstore.key.PlanDetails;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaLimiter;
import dev.animalstore.quota.QuotaState;
import io.vertx.core.Future;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
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
    private final ChangeTransaction transaction;

    KeyOperations(
            KeyRegistry keys,
            VersionPublisher publisher,
            QuotaLimiter limiter,
            AuditedKey audited,
            ChangeTransaction transaction) {
        this.keys = keys;
        this.publisher = publisher;
        this.limiter = limiter;
        this.transaction = transaction;
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

    /** Whether Redis responds now, so that quotas and bans are those of all replicas. */
    public boolean areQuotasShared() {
        return await(limiter.isShared());
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
    public ManagedKey change(KeyId id, Terms terms, KeyRequests.Change wanted) {
        KeyDetails changed = require(
                transaction.run(() -> keys.change(id.value(), terms.seen(), wanted.keyChange()), terms.alongside()));
        publish("changeKey", OK, changed);
        return show(changed, null);
    }

    /** Adds a new secret to a key and returns both. */
    public ManagedKey rotate(KeyId id, Terms terms, KeyRequests.Rotation wanted) {
        IssuedKey issued = require(
                transaction.run(() -> keys.rotate(id.value(), terms.seen(), wanted.grace()), terms.alongside()));
        publish("rotateKey", CREATED, issued.details());
        return show(issued);
    }

    /** Revokes a key permanently, and returns its new version. */
    public long revoke(KeyId id, Terms terms) {
        KeyDetails revoked = require(transaction.run(() -> keys.revoke(id.value(), terms.seen()), terms.alongside()));
        publish("revokeKey", NO_CONTENT, revoked);
        return revoked.version();
    }

    /** Lifts a key's ban, if it has one, clears its strikes, and returns its new version. */
    public long liftBan(KeyId id, Terms terms) {
        KeyDetails key = require(transaction.run(() -> keys.liftBan(id.value(), terms.seen()), terms.alongside()));
        audited.done("liftBan", NO_CONTENT, key);
        publisher.publishLiftedBan(key);
        return key.version();
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
        List<Future<QuotaState>> states = listed.stream().map(this::peek).toList();
        await(Future.all(states));
        return IntStream.range(0, listed.size())
                .mapToObj(i -> ManagedKey.of(listed.get(i), states.get(i).result(), null))
                .toList();
    }

    private Future<QuotaState> peek(KeyDetails key) {
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
