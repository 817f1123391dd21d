package dev.animalstore.operator;

import dev.animalstore.metering.key.ApiKey;
import dev.animalstore.metering.key.ApiKey.Secret;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.metering.quota.BanConfig;
import dev.animalstore.metering.quota.Quota;
import dev.animalstore.metering.quota.QuotaLimiter;
import dev.animalstore.metering.quota.Subject;
import dev.animalstore.metering.quota.SubjectId;
import dev.animalstore.metering.usage.Days;
import dev.animalstore.operator.KeySearch.State;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.vertx.core.Future;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Finds keys and shows them with their quotas and bans, for {@code /admin} and for the console. What shows one key tells the operator which, for
 * the audit. Blocks.
 */
@Singleton
public final class KeyDirectory {
    private static final int BATCH = 100;

    private static final Subject UNUSED = new Subject(new SubjectId(0, 0), 0, new Quota(1, 1), Subject.NEVER);

    private final KeyConfig config;
    private final BanConfig bans;
    private final QuotaLimiter quotas;

    KeyDirectory(KeyConfig config, BanConfig bans, QuotaLimiter quotas) {
        this.config = config;
        this.bans = bans;
        this.quotas = quotas;
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
        return await(show(key, null, true, null));
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
        BearerKey secret = BearerKey.parse(wanted.key(), BearerKey.start(config))
                .orElseThrow(() -> ApiException.invalidFields(
                        Map.of("key", "must be a whole API key of this environment, with a valid checksum")));
        return showFound(operator, () -> Secret.find(secret));
    }

    private ManagedKey showFound(Operator operator, Callable<Optional<Secret>> query) {
        Secret found = transaction(() -> require(query.call()));
        operator.audit(found.key, Status.OK);
        return await(show(found.key, null, true, found));
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

    /** As above, of all keys. */
    public List<KeyChange> changes(String operator, Days days, long after, int count) {
        return transaction(() -> KeyChange.page(operator, days, after, count));
    }

    static <T> T require(Optional<T> found) {
        return found.orElseThrow(() -> new ApiException(ErrorCode.NOT_FOUND, "No such key."));
    }

    static <T> T transaction(Callable<T> work) {
        return QuarkusTransaction.joiningExisting().call(work);
    }

    /** Sends the commands for a batch of keys together, so that those of customers, which share the connection, hardly wait. */
    private List<ManagedKey> list(Callable<List<ApiKey>> query) {
        List<ApiKey> keys = transaction(query);
        List<ManagedKey> shown = new ArrayList<>();
        for (int i = 0; i < keys.size(); i += BATCH) {
            Stream<ApiKey> batch = keys.subList(i, Math.min(i + BATCH, keys.size())).stream();
            shown.addAll(await(Future.all(
                            batch.map(key -> show(key, null, true, null)).toList()))
                    .list());
        }
        return shown;
    }

    /**
     * @param issued the secret that was just added, or {@code null}
     * @param confirmed whether Redis has confirmed the latest change
     * @param found the secret that it was found by, or {@code null}
     */
    Future<ManagedKey> show(ApiKey key, BearerKey issued, boolean confirmed, Secret found) {
        return quotas.peek(subject(key))
                .map(state -> new ManagedKey(
                        key,
                        issued,
                        state,
                        confirmed && state.shared() ? 0 : config.cacheTime().toSeconds(),
                        found));
    }

    static Subject subject(ApiKey key) {
        Quota limits = new Quota(key.limits().perMinute(), key.limits().perDay());
        return new Subject(new SubjectId(key.id, key.created()), key.version, limits, Subject.NEVER);
    }

    static <T> T await(Future<T> response) {
        return response.toCompletionStage().toCompletableFuture().join();
    }
}
