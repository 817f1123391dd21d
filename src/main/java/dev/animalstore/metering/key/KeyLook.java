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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Looks in PostgreSQL for what has changed since the last look, every ten seconds and when Redis comes back, and forgets the copies of it. So
 * this replica learns of each change by itself, whoever made it and whatever Redis does. It has a thread and a connection of its own, since
 * revocation rests on it. A look that fails changes nothing.
 */
@Singleton
public class KeyLook {
    private static final Logger LOG = Logger.getLogger(KeyLook.class);

    private static final Duration EVERY = Duration.ofSeconds(10);

    /** Between two looks, however often Redis comes back. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    /** If there are as many changes, all copies are forgotten: more could not be read within the timeout of a statement. */
    private static final int MAXIMUM_CHANGES = 100_000;

    /**
     * The changes that the present snapshot shows and the last one did not, and of which server and tables they are. The first condition is for
     * the index. A transaction that is open for long keeps it from passing over what was seen, which the second does. The third leaves out rows
     * of another server that were restored here.
     */
    private static final String LOOK = """
            with change as (
                select key_id, plan
                from key_change
                where changed >= pg_snapshot_xmin(cast(? as pg_snapshot))
                  and not pg_visible_in_snapshot(changed, cast(? as pg_snapshot))
                  and changed < pg_snapshot_xmax(pg_current_snapshot())
                limit ?)
            select cast(pg_current_snapshot() as text) as snapshot,
                   concat_ws(' ', pg_postmaster_start_time(), cast(cast('api_key' as regclass) as oid),
                             cast(cast('api_key_secret' as regclass) as oid), cast(cast('plan' as regclass) as oid),
                             cast(cast('key_change' as regclass) as oid)) as origin,
                   pg_is_in_recovery() as is_standby,
                   pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(cast(? as pg_snapshot))
                       or count(*) = ? or count(*) > count(key_id) + count(plan) as of_all_keys,
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
    private volatile long lastNanos;

    KeyLook(KeyCache copies, RedisClient redis, Ticker ticker, AgroalDataSource database) {
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

    /** When the last look began that has succeeded, by {@link Ticker#read}. */
    public long lastNanos() {
        return lastNanos;
    }

    private void lookSoon() {
        long waitNanos = LEAST.toNanos() - (ticker.read() - lastNanos);
        var unused = thread.schedule(
                () -> {
                    if (ticker.read() - lastNanos >= LEAST.toNanos()) {
                        tryToLook();
                    }
                },
                waitNanos,
                TimeUnit.NANOSECONDS);
    }

    private void tryToLook() {
        try {
            look();
        } catch (SQLException | RuntimeException | Error failure) {
            LOG.warnf("Changes of keys could not be read; the next look retries: %s", failure.getMessage());
        }
    }

    /** Looks now, in the calling thread. */
    public synchronized void look() throws SQLException {
        long begunNanos = ticker.read();
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(LOOK)) {
            statement.setString(1, seen);
            statement.setString(2, seen);
            statement.setInt(3, MAXIMUM_CHANGES);
            statement.setString(4, seen);
            statement.setInt(5, MAXIMUM_CHANGES);
            ResultSet found = statement.executeQuery();
            found.next();
            if (found.getBoolean("is_standby")) {
                throw new SQLException("the server is a standby");
            }
            forget(found);
            seen = found.getString("snapshot");
            origin = found.getString("origin");
        }
        lastNanos = begunNanos;
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
