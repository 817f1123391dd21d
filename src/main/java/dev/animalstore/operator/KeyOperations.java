package dev.animalstore.operator;

import static dev.animalstore.operator.KeyDirectory.await;
import static dev.animalstore.operator.KeyDirectory.require;
import static dev.animalstore.operator.KeyDirectory.subject;
import static dev.animalstore.operator.KeyDirectory.transaction;

import dev.animalstore.metering.key.ApiKey;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.metering.quota.QuotaLimiter;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.quarkus.hibernate.orm.panache.Panache;
import io.quarkus.logging.Log;
import jakarta.inject.Singleton;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.PessimisticLockException;
import jakarta.persistence.QueryTimeoutException;
import jakarta.ws.rs.core.Response.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/**
 * The operations that change keys, for {@code /admin} and for the console. Each change is one transaction, which the database records as a
 * {@link KeyChange}, and is announced before the method returns. Each operation tells the operator what it did, for the audit. Blocks.
 *
 * <p>A change names the version of the key that the operator has seen, or {@link #ANY_VERSION}. If the key has another version, it fails with
 * {@code conflict}; if there is no such key, with {@code not_found}.
 */
@Singleton
public final class KeyOperations {

    /** The identifier of a key in a path: decimal digits, without a sign, too few to exceed int64. Another path is a 404. */
    public static final String ID = "{id:[0-9]{1,18}}";

    /** Of a change that applies to a key whatever its version is. */
    public static final long ANY_VERSION = 0;

    private static final String BEGIN = """
            select clock_timestamp()
            where set_config('animalstore.operator', ?1, true) is not null and set_config('animalstore.action', ?2, true) is not null""";

    private final KeyConfig config;
    private final QuotaLimiter quotas;
    private final KeyDirectory directory;
    private final SecureRandom random = new SecureRandom();

    KeyOperations(KeyConfig config, QuotaLimiter quotas, KeyDirectory directory) {
        this.config = config;
        this.quotas = quotas;
        this.directory = directory;
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
     * @throws ApiException {@code service_unavailable} while Redis is unavailable, with nothing changed. If Redis fails after it has just responded, the
     *     ban remains and the request is recorded; it can be repeated
     */
    public ManagedKey liftBan(Operator operator, long id, long seen) {
        ApiKey lifted = locked(() -> {
            ApiKey key = lock(id, seen);
            requireRedis(await(quotas.peek(subject(key))).shared());
            // A form that is sent again then names an earlier version, and does not lift a later ban.
            begin(operator, "liftBan");
            key.raiseVersion();
            return key;
        });
        // After the commit: what Redis knows would otherwise be ahead of a transaction that is rolled back.
        requireRedis(await(quotas.liftBan(subject(lifted)).map(true).otherwise(false)));
        return announced(operator, Status.NO_CONTENT, lifted, null);
    }

    private static void requireRedis(boolean available) {
        if (!available) {
            throw new ApiException(
                    ErrorCode.SERVICE_UNAVAILABLE, "Bans cannot be lifted while Redis is unavailable. Retry later.");
        }
    }

    private BearerKey newSecret() {
        return BearerKey.generate(BearerKey.start(config), random);
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
            if (Panache.getSession(ApiKey.class).isDirty()) {
                key.raiseVersion();
            }
            return key;
        });
    }

    /** Tells the database who changes what in the current transaction, which it records, and returns its time. */
    private static Instant begin(Operator operator, String action) {
        return Panache.getSession(ApiKey.class)
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
            Log.warnf(
                    "A change of key %d was not confirmed by Redis: other replicas obey it within %d s",
                    changed.id, config.cacheTime().toSeconds());
        }
        return await(directory.show(changed, issued, confirmed, null));
    }
}
