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
 * What operators can do with keys, for {@code /admin} and for the console. Each change is committed, then made known to all replicas, then
 * answered: a request that is sent after the answer is judged by what the answer says. Each is named in the audit. Blocks.
 *
 * <p>If a version is given that the operator has seen, a change is made to no other, and fails as {@code conflict} instead.
 */
@Singleton
public final class KeyOperations {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;

    private final KeyRegistry keys;
    private final Announcements announcements;
    private final QuotaLimiter meter;
    private final AuditedKey audited;
    private final ChangeTransaction transaction;

    KeyOperations(
            KeyRegistry keys,
            Announcements announcements,
            QuotaLimiter meter,
            AuditedKey audited,
            ChangeTransaction transaction) {
        this.keys = keys;
        this.transaction = transaction;
        this.announcements = announcements;
        this.meter = meter;
        this.audited = audited;
    }

    /** Issues a key, and shows it with its text. */
    public ManagedKey issue(KeyRequests.NewKey wanted) {
        IssuedKey issued = keys.issue(wanted.owner(), wanted.plan(), wanted.agreedLimits(), wanted.expiry());
        audited.done("issueKey", CREATED, issued.details());
        return show(issued);
    }

    /** At most {@code count} keys after an identifier that a filter lets pass, in ascending order of their identifiers. */
    public List<ManagedKey> list(KeyFilter filter, long after, int count) {
        return show(keys.list(filter, after, count));
    }

    /** The keys of those identifiers that there are, in ascending order of their identifiers. */
    public List<ManagedKey> list(List<Long> ids) {
        return show(keys.list(ids));
    }

    /** Whether Redis answers at this moment, so that quotas and bans are those of all replicas. */
    public boolean areQuotasShared() {
        return await(meter.isShared());
    }

    /** The plans that a key can be bound to. */
    public List<PlanDetails> plans() {
        return keys.plans();
    }

    /**
     * Names a key in the audit.
     *
     * @throws ApiException {@code not_found}
     */
    public void verify(KeyId id) {
        audited.set(require(keys.find(id.value())));
    }

    /**
     * Shows a key.
     *
     * @throws ApiException {@code not_found}
     */
    public ManagedKey get(KeyId id) {
        KeyDetails key = require(keys.find(id.value()));
        audited.set(key);
        return show(key, null);
    }

    /** Changes what the request names. */
    public ManagedKey change(KeyId id, Terms terms, KeyRequests.Change wanted) {
        KeyDetails changed = require(
                transaction.run(() -> keys.change(id.value(), terms.seen(), wanted.keyChange()), terms.alongside()));
        announce("changeKey", OK, changed);
        return show(changed, null);
    }

    /** Gives a key a new secret, and shows it with the new text. */
    public ManagedKey rotate(KeyId id, Terms terms, KeyRequests.Rotation wanted) {
        IssuedKey issued = require(
                transaction.run(() -> keys.rotate(id.value(), terms.seen(), wanted.grace()), terms.alongside()));
        announce("rotateKey", CREATED, issued.details());
        return show(issued);
    }

    /** Revokes a key for good, and returns its new version. */
    public long revoke(KeyId id, Terms terms) {
        KeyDetails revoked = require(transaction.run(() -> keys.revoke(id.value(), terms.seen()), terms.alongside()));
        announce("revokeKey", NO_CONTENT, revoked);
        return revoked.version();
    }

    /** Lifts a key's ban, if it has one, forgets its strikes, and returns its new version. */
    public long liftBan(KeyId id, Terms terms) {
        KeyDetails key = require(transaction.run(() -> keys.liftBan(id.value(), terms.seen()), terms.alongside()));
        audited.done("liftBan", NO_CONTENT, key);
        announcements.announceLiftedBan(key);
        return key.version();
    }

    private void announce(String action, int outcome, KeyDetails changed) {
        audited.done(action, outcome, changed);
        announcements.announce(changed);
    }

    private ManagedKey show(IssuedKey issued) {
        return show(issued.details(), issued.secret().reveal());
    }

    private ManagedKey show(KeyDetails key, String secret) {
        return ManagedKey.of(key, await(peek(key)), secret);
    }

    /** Asks Redis for all of them at once, rather than for one after the other. */
    private List<ManagedKey> show(List<KeyDetails> listed) {
        List<Future<QuotaState>> states = listed.stream().map(this::peek).toList();
        await(Future.all(states));
        return IntStream.range(0, listed.size())
                .mapToObj(i -> ManagedKey.of(listed.get(i), states.get(i).result(), null))
                .toList();
    }

    private Future<QuotaState> peek(KeyDetails key) {
        return meter.peek(
                key.id(), new Limits(key.limits().perMinute(), key.limits().perDay()));
    }

    private static <T> T await(Future<T> answer) {
        return answer.toCompletionStage().toCompletableFuture().join();
    }

    private static <T> T require(Optional<T> found) {
        return found.orElseThrow(() -> new ApiException(ErrorCode.NOT_FOUND, "There is no such key."));
    }
}
