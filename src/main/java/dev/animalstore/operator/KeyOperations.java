package dev.animalstore.operator;

import dev.animalstore.metering.key.ApiKey;
import dev.animalstore.metering.key.ApiKey.Secret;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.metering.key.KeySearch;
import dev.animalstore.metering.key.KeySearch.State;
import dev.animalstore.metering.quota.BanConfig;
import dev.animalstore.metering.quota.Limits;
import dev.animalstore.metering.quota.QuotaLimiter;
import dev.animalstore.metering.quota.Subject;
import dev.animalstore.metering.quota.SubjectId;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.quarkus.hibernate.orm.panache.Panache;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.vertx.core.Future;
import jakarta.inject.Singleton;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.PessimisticLockException;
import jakarta.persistence.QueryTimeoutException;
import jakarta.ws.rs.core.Response.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The operations on keys, for {@code /admin} and for the console. Each change is one transaction, which the database records as a
 * {@link KeyChange}, and is announced before the method returns. Each operation tells the operator what it did, for the audit. Blocks.
 *
 * <p>A change names the version of the key that the operator has seen, or {@link #ANY_VERSION}. If the key has another version, it fails with
 * {@code conflict}; if there is no such key, with {@code not_found}.
 */
@Singleton
public final class KeyOperations {
    private static final Logger LOG = Logger.getLogger(KeyOperations.class);

    /** The identifier of a key in a path: decimal digits, without a sign. One that exceeds int64 is a 404. */
    public static final String ID = "{id:[0-9]+}";

    /** Of a change that applies to a key whatever its version is. */
    public static final long ANY_VERSION = 0;

    private static final int BATCH = 100;

    private static final String BEGIN = """
            select clock_timestamp()
            where set_config('animalstore.operator', ?1, true) is not null and set_config('animalstore.action', ?2, true) is not null""";

    private static final Subject UNUSED = new Subject(new SubjectId(0, 0), 0, new Limits(1, 1), Subject.NEVER);

    private final KeyConfig config;
    private final BanConfig bans;
    private final QuotaLimiter quotas;
    private final SecureRandom random = new SecureRandom();

    KeyOperations(KeyConfig config, BanConfig bans, QuotaLimiter quotas) {
        this.config = config;
        this.bans = bans;
        this.quotas = quotas;
    }

    /**
     * Issues a key and returns it with its secret.
     *
     * @param also what happens in the same transaction, with the identifier of the key
     */
    public ManagedKey issue(Operator operator, KeyRequests.NewKey wanted, LongConsumer also) {
        BearerKey secret = newSecret();
        ApiKey issued = transaction(() -> {
            Instant now = begin(operator, "issueKey");
            ApiKey key = ApiKey.add(wanted.owner(), wanted.plan(), wanted.limits(), wanted.expiresAt(), secret, now);
            key.raiseVersion();
            also.accept(key.id);
            return key;
        });
        return announced(operator, Status.CREATED, issued, secret);
    }

    /** At most {@code count} matching keys after an identifier in the order of the search; 0 for the first ones. */
    public List<ManagedKey> list(KeySearch search, long after, int count) {
        List<ManagedKey> found = new ArrayList<>();
        int size = search.state() == State.BANNED ? BATCH : count;
        for (long last = after; ; ) {
            long begin = last;
            List<ManagedKey> batch = list(() -> search.page(begin, size, bans.longest()));
            batch.stream().filter(key -> matches(search.state(), key)).forEach(found::add);
            if (batch.size() < size || found.size() >= count) {
                return found.subList(0, Math.min(count, found.size()));
            }
            last = batch.get(size - 1).id();
        }
    }

    /** How many keys match; empty if that depends on bans, which only Redis knows. */
    public OptionalLong count(KeySearch search) {
        boolean known = search.state() == null || !search.state().dependsOnBans();
        return known ? OptionalLong.of(transaction(search::count)) : OptionalLong.empty();
    }

    private static boolean matches(State wanted, ManagedKey key) {
        return wanted == null || !wanted.dependsOnBans() || (wanted == State.BANNED) == (key.ban() != null);
    }

    /** The identifier after which the {@code count} matching keys up to another one begin; 0 if there are no more than those. */
    public long before(KeySearch search, long last, int count) {
        List<ManagedKey> back = list(search.reversed(), search.newestFirst() ? last - 1 : last + 1, count + 1);
        return back.size() > count ? back.get(count).id() : 0;
    }

    /** The existing keys with those identifiers, in the order of the identifiers. */
    public List<ManagedKey> list(List<Long> ids) {
        return list(() ->
                ApiKey.<ApiKey>findByIds(ids).stream().filter(Objects::nonNull).toList());
    }

    /**
     * Whether quotas and bans of listed keys are those of all replicas, and Redis responds now. The circuit breaker does not know yet that it has
     * just begun to hang.
     */
    public boolean areQuotasShared(List<ManagedKey> listed) {
        return listed.stream().allMatch(ManagedKey::shared)
                && await(quotas.peek(UNUSED)).shared();
    }

    /**
     * The key of a number.
     *
     * @throws ApiException {@code not_found}
     */
    public ManagedKey get(Operator operator, long id) {
        ApiKey key = transaction(() -> require(ApiKey.findByIdOptional(id)));
        operator.audit(key, Status.OK);
        return await(show(key));
    }

    /** The key of a number, as {@link #lookUp} has found it by one of its secrets. */
    public ManagedKey getFound(Operator operator, long id, long secret) {
        return showFound(operator, () -> Secret.find(id, secret));
    }

    /**
     * Returns the key that a secret belongs to or belonged to, also if it is revoked or expired.
     *
     * @throws ApiException {@code validation_failed}, without a query, if the text is not a well-formed secret; {@code not_found}
     */
    public ManagedKey lookUp(Operator operator, KeyRequests.Lookup wanted) {
        BearerKey secret = BearerKey.parse(wanted.key(), config.environment())
                .orElseThrow(() -> ApiException.invalidFields(
                        Map.of("key", "must be a whole API key of this environment, with a valid checksum")));
        return showFound(operator, () -> Secret.find(secret));
    }

    private ManagedKey showFound(Operator operator, Callable<Optional<Secret>> query) {
        Secret found = transaction(() -> require(query.call()));
        operator.audit(found.key, Status.OK);
        return await(show(found.key)).foundBy(found);
    }

    /**
     * What operators did with a key, the newest first.
     *
     * @param after the change after which the list begins, in that order; 0 for the newest ones
     * @throws ApiException {@code not_found}
     */
    public List<KeyChange> changes(Operator operator, long id, long after, int count) {
        return transaction(() -> {
            operator.audit(require(ApiKey.findByIdOptional(id)), Status.OK);
            return KeyChange.page(id, after, count);
        });
    }

    public ManagedKey change(Operator operator, long id, long seen, KeyRequests.Change wanted) {
        ApiKey changed = changed(operator, "changeKey", id, seen, (key, now) -> {
            key.change(wanted.owner(), wanted.plan(), wanted.limits(), wanted.expiresAt());
            if (wanted.suspended() != null) {
                key.suspend(wanted.suspended(), now);
            }
        });
        return announced(operator, Status.OK, changed, null);
    }

    public ManagedKey rotate(Operator operator, long id, long seen, KeyRequests.Rotation wanted) {
        BearerKey secret = newSecret();
        Duration grace = Duration.ofSeconds(wanted.graceSeconds());
        ApiKey rotated = changed(operator, "rotateKey", id, seen, (key, now) -> key.rotate(secret, grace, now));
        return announced(operator, Status.CREATED, rotated, secret);
    }

    public ManagedKey revoke(Operator operator, long id, long seen) {
        return announced(operator, Status.NO_CONTENT, changed(operator, "revokeKey", id, seen, ApiKey::revoke), null);
    }

    /**
     * Lifts a key's ban, if it has one, and clears its strikes.
     *
     * @throws ApiException {@code service_unavailable} while Redis is unavailable; nothing is changed then, unless it fails after it has just
     *     responded
     */
    public ManagedKey liftBan(Operator operator, long id, long seen) {
        ApiKey lifted = locked(() -> {
            ApiKey key = lock(id, seen);
            // A form that is sent again then names an earlier version, and does not lift a later ban.
            begin(operator, "liftBan");
            key.raiseVersion();
            if (!await(quotas.liftBan(subject(key)).map(true).otherwise(false))) {
                throw new ApiException(
                        ErrorCode.SERVICE_UNAVAILABLE,
                        "Bans cannot be lifted while Redis is unavailable. Retry later.");
            }
            return key;
        });
        return announced(operator, Status.NO_CONTENT, lifted, null);
    }

    private static <T> T require(Optional<T> found) {
        return found.orElseThrow(() -> new ApiException(ErrorCode.NOT_FOUND, "No such key."));
    }

    private BearerKey newSecret() {
        return BearerKey.generate(config.environment(), random);
    }

    private static <T> T transaction(Callable<T> work) {
        return QuarkusTransaction.joiningExisting().call(work);
    }

    /** Work that locks a key. If another change holds the lock for as long as a statement may take, it is tried once more. */
    private static ApiKey locked(Callable<ApiKey> work) {
        try {
            return transaction(work);
        } catch (PessimisticLockException | LockTimeoutException | QueryTimeoutException waited) {
            return transaction(work);
        }
    }

    private static ApiKey lock(long id, long seen) {
        ApiKey key = require(ApiKey.lock(id));
        if (seen != ANY_VERSION && seen != key.version) {
            throw new ApiException(ErrorCode.CONFLICT, "Another change of the key came first.");
        }
        return key;
    }

    private ApiKey changed(Operator operator, String action, long id, long seen, BiConsumer<ApiKey, Instant> change) {
        return locked(() -> {
            ApiKey key = lock(id, seen);
            change.accept(key, begin(operator, action));
            if (Panache.getSession().isDirty()) {
                key.raiseVersion();
            }
            return key;
        });
    }

    /** Tells the database who changes what in the current transaction, which it records, and returns its time. */
    private static Instant begin(Operator operator, String action) {
        return Panache.getSession()
                .createNativeQuery(BEGIN, Instant.class)
                .setParameter(1, operator.name())
                .setParameter(2, action)
                .getSingleResult();
    }

    /** @param issued the secret that was just added, or {@code null} */
    private ManagedKey announced(Operator operator, Status outcome, ApiKey changed, BearerKey issued) {
        operator.audit(changed, outcome);
        boolean confirmed = await(quotas.announce(subject(changed)));
        if (!confirmed) {
            LOG.warnf(
                    "A change of key %d was not confirmed by Redis: other replicas obey it within %d s",
                    changed.id, config.cacheTime().toSeconds());
        }
        return await(show(changed, issued, confirmed));
    }

    /** Sends the commands for a batch of keys together, so that those of customers, which share the connection, hardly wait. */
    private List<ManagedKey> list(Callable<List<ApiKey>> query) {
        List<ApiKey> keys = transaction(query);
        List<ManagedKey> shown = new ArrayList<>();
        for (int i = 0; i < keys.size(); i += BATCH) {
            Stream<ApiKey> batch = keys.subList(i, Math.min(i + BATCH, keys.size())).stream();
            shown.addAll(await(Future.all(batch.map(this::show).toList())).list());
        }
        return shown;
    }

    private Future<ManagedKey> show(ApiKey key) {
        return show(key, null, true);
    }

    private Future<ManagedKey> show(ApiKey key, BearerKey issued, boolean confirmed) {
        return quotas.peek(subject(key))
                .map(state -> new ManagedKey(
                        key,
                        issued,
                        state,
                        confirmed && state.shared() ? 0 : config.cacheTime().toSeconds()));
    }

    private static Subject subject(ApiKey key) {
        Limits limits = new Limits(key.limits().perMinute(), key.limits().perDay());
        return new Subject(new SubjectId(key.id, key.created()), key.version, limits, Subject.NEVER);
    }

    private static <T> T await(Future<T> response) {
        return response.toCompletionStage().toCompletableFuture().join();
    }
}
