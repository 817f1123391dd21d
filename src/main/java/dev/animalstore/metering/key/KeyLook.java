package dev.animalstore.metering.key;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.redis.RedisClient;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.AgroalDataSourceConfiguration;
import io.agroal.api.configuration.supplier.AgroalConnectionFactoryConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.pool.DataSource;
import io.quarkus.logging.Log;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks in PostgreSQL for what has changed since the last look, every ten seconds and when Redis comes back, and forgets the copies of it. So
 * this replica learns of each change by itself, whoever made it and whatever Redis does. It has a thread and a connection of its own, since
 * revocation rests on it.
 *
 * <p>A look that cannot read the changes in the time of a statement forgets all copies, and the next one begins at the present. A look that fails,
 * since PostgreSQL does, changes nothing.
 */
@Singleton
public class KeyLook {

    private static final Duration EVERY = Duration.ofSeconds(10);

    /** Between two looks, however often Redis comes back. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    /** Without a look that was at least tried. Only a replica that itself was away exceeds it: one that was stopped, say. */
    private static final Duration LONGEST = EVERY.multipliedBy(3);

    /** How long requests wait then: a statement that takes too long, and one after it. */
    private static final long LONGEST_WAIT_MILLIS = 1000;

    /** If there are as many changes, all copies are forgotten. Reading these takes a tenth of a second. */
    private static final int MAXIMUM_CHANGES = 100_000;

    /** The SQL states of a statement that PostgreSQL has ended, and of one that has exceeded the time of the connection. */
    private static final Set<String> TOO_LONG = Set.of("57014", "08006");

    /**
     * The changes that the present snapshot shows and the last one did not: those of transactions that began after it, and of those that were
     * running then and have ended. So nothing is read twice, and a transaction that is open for long costs nothing. Both are ranges in the order of
     * the index, since PostgreSQL would read the whole table otherwise if it expects many changes. The end of the first leaves out rows of another
     * server that were restored here. With a maximum of 0 no change is read, and all keys are concerned.
     */
    private static final String LOOK = """
            with last as (select cast(? as pg_snapshot) as snapshot, cast(? as integer) as maximum),
            change as (
                (select key_id, plan
                 from metering.key_change
                 where changed >= (select pg_snapshot_xmax(snapshot) from last) and changed < pg_snapshot_xmax(pg_current_snapshot())
                 order by changed
                 limit (select maximum from last))
                union all
                (select late.*
                 from last
                 cross join pg_snapshot_xip(snapshot) as ended
                 cross join lateral (
                     select key_id, plan
                     from metering.key_change
                     where changed >= ended and changed <= ended
                     order by changed
                     limit (select maximum from last)) as late
                 where pg_visible_in_snapshot(ended, pg_current_snapshot()))
                limit (select maximum from last))
            select cast(pg_current_snapshot() as text) as snapshot,
                   concat_ws(' ', pg_postmaster_start_time(), cast(cast('metering.api_key' as regclass) as oid),
                             cast(cast('metering.api_key_secret' as regclass) as oid), cast(cast('metering.plan' as regclass) as oid),
                             cast(cast('metering.key_change' as regclass) as oid)) as origin,
                   pg_is_in_recovery() as is_standby,
                   pg_snapshot_xmax(pg_current_snapshot()) < (select pg_snapshot_xmax(snapshot) from last)
                       or count(*) >= (select maximum from last) or count(*) > count(key_id) + count(plan) as of_all_keys,
                   array_agg(distinct key_id) filter (where key_id is not null) as keys,
                   array_agg(distinct plan) filter (where plan is not null) as plans
            from change""";

    private final KeyCache copies;
    private final RedisClient redis;
    private final Ticker ticker;
    private final AgroalDataSource database;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(run -> new Thread(run, "key-look"));

    /** The snapshot of the last look, and the server and tables that it was of; {@code null} before the first one. */
    String seen;

    private String origin;

    /** When the last look began, whether it has succeeded or not, by {@link Ticker#read}. */
    private volatile long triedNanos;

    /** The look for which requests wait; {@code null} if none do. */
    private CompletableFuture<Void> awaited;

    KeyLook(
            KeyCache copies,
            RedisClient redis,
            Ticker ticker,
            @io.quarkus.agroal.DataSource("metering") AgroalDataSource database) {
        this.copies = copies;
        this.redis = redis;
        this.ticker = ticker;
        this.database =
                new DataSource(ofOneConnection(database.getConfiguration().connectionPoolConfiguration()));
    }

    private static AgroalDataSourceConfiguration ofOneConnection(AgroalConnectionPoolConfiguration pool) {
        return new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(one -> one.maxSize(1)
                        .acquisitionTimeout(pool.acquisitionTimeout())
                        .connectionValidator(ConnectionValidator.defaultValidator())
                        .validateOnBorrow(true)
                        .connectionFactoryConfiguration(new AgroalConnectionFactoryConfigurationSupplier(
                                pool.connectionFactoryConfiguration())))
                .get();
    }

    /** The first look, before the service is ready. */
    void start(@Observes StartupEvent started) throws SQLException {
        DatabaseBreaker.open(database);
        look();
        redis.onReturn(this::lookSoon);
        var unused =
                thread.scheduleWithFixedDelay(this::tryToLook, EVERY.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    void end(@Observes ShutdownEvent shutdown) {
        thread.shutdown();
        database.close();
    }

    /** Whether this replica itself was away, so that it may have missed any change: no look was even tried for 30 seconds. */
    public boolean isOverdue() {
        return ticker.read() - triedNanos > LONGEST.toNanos();
    }

    /** Completes when a look was tried, which all who ask meanwhile share, or after a second. Never fails, never blocks. */
    public CompletableFuture<Void> tryNow() {
        synchronized (thread) {
            if (awaited == null) {
                awaited = CompletableFuture.runAsync(this::tryIfOverdue, thread)
                        .completeOnTimeout(null, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
            }
            return awaited;
        }
    }

    private void tryIfOverdue() {
        if (isOverdue()) {
            tryToLook();
        }
        synchronized (thread) {
            awaited = null;
        }
    }

    /** A look that has begun already may have missed what Redis forgets or has never learned. */
    void lookSoon() {
        long returnedNanos = ticker.read();
        var unused = thread.schedule(
                () -> {
                    if (triedNanos - returnedNanos < 0) {
                        tryToLook();
                    }
                },
                LEAST.toNanos() - (returnedNanos - triedNanos),
                TimeUnit.NANOSECONDS);
    }

    void tryToLook() {
        try {
            look();
        } catch (SQLException | RuntimeException | Error failure) {
            Log.warnf("Changes of keys could not be read; the next look retries: %s", failure.getMessage());
        }
    }

    /** Looks now, in the calling thread. */
    public synchronized void look() throws SQLException {
        long begunNanos = ticker.read();
        try {
            forgetChanges();
            copies.looked(begunNanos);
        } finally {
            triedNanos = begunNanos;
        }
    }

    private void forgetChanges() throws SQLException {
        try {
            forgetChanges(MAXIMUM_CHANGES);
        } catch (SQLException failure) {
            // A failure of the pool has no state.
            if (!TOO_LONG.contains(String.valueOf(failure.getSQLState()))) {
                throw failure;
            }
            forgetChanges(0);
            Log.warnf("Changes of keys could not be read in time; all copies were forgotten: %s", failure.getMessage());
        }
    }

    private void forgetChanges(int maximum) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(LOOK)) {
            statement.setString(1, seen);
            statement.setInt(2, maximum);
            ResultSet found = statement.executeQuery();
            found.next();
            if (found.getBoolean("is_standby")) {
                throw new SQLException("the server is a standby");
            }
            forget(found);
            seen = found.getString("snapshot");
            origin = found.getString("origin");
        }
    }

    private void forget(ResultSet found) throws SQLException {
        Set<?> keys = set(found.getArray("keys"));
        Set<?> plans = set(found.getArray("plans"));
        if (found.getBoolean("of_all_keys") || !found.getString("origin").equals(origin)) {
            copies.forget(key -> true);
        } else if (!keys.isEmpty() || !plans.isEmpty()) {
            copies.forget(key -> keys.contains(key.id()) || plans.contains(key.plan()));
        }
    }

    private static Set<?> set(Array found) throws SQLException {
        return found == null ? Set.of() : Set.of((Object[]) found.getArray());
    }
}
