package dev.animalstore.metering.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.redis.RedisClient;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.flyway.FlywayDataSource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which copies a look forgets, in a database of its own with the keys 1 to 4. Key 3 alone has the plan pro. */
@QuarkusTest
class KeyLookTest {
    private static final Set<Long> ALL = Set.of(1L, 2L, 3L, 4L);

    private static final Duration LONGEST_AWAY = Duration.ofSeconds(31);

    /** A statement of the look may take this long. */
    private static final String TIMEOUT = "set statement_timeout = '1s'";

    private final AtomicLong nowNanos = new AtomicLong();
    private CountDownLatch mayEnd = new CountDownLatch(0);
    private String database;
    private AgroalDataSource pool;
    private KeyCache copies;
    private KeyLook look;

    @Inject
    @FlywayDataSource("metering")
    Flyway flyway;

    @Inject
    @io.quarkus.agroal.DataSource("metering")
    DatabaseBreaker breaker;

    @Inject
    KeyConfig config;

    @Inject
    RedisClient redis;

    @Inject
    KeyCache served;

    @BeforeEach
    void start() throws SQLException {
        database = TestDatabase.recreate("key_look");
        Flyway.configure()
                .configuration(flyway.getConfiguration())
                .dataSource(database, LocalPostgres.USER, "")
                .load()
                .migrate();
        run(
                "insert into api_key (owner, plan) select 'a', case n when 3 then 'pro' else 'free' end from generate_series(1, 4) n;"
                        + " insert into api_key_secret (key_id, hash, hint) select id, sha256(id::text::bytea), 'hint' from api_key");
        pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(one -> one.maxSize(1)
                        .connectionFactoryConfiguration(factory -> factory.jdbcUrl(database)
                                .principal(new NamePrincipal(LocalPostgres.USER))
                                .initialSql(TIMEOUT))));
        copies = new KeyCache(config, new Queries(), breaker, new SimpleMeterRegistry(), nowNanos::get);
        look = new KeyLook(copies, redis, nowNanos::get, pool);
        look.look();
        readAll();
    }

    @AfterEach
    void stop() {
        look.end(null);
        pool.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            update api_key set owner = 'b' where id = 2                                     | 2
            update api_key set revoked_at = now() where id < 3                              | 1 2
            update api_key_secret set expires_at = now() where key_id = 4                   | 4
            update api_key_secret set key_id = 1 where key_id = 2                           | 1 2
            insert into api_key_secret (key_id, hash, hint) values (4, sha256('new'), 'new') | 4
            delete from api_key_secret where key_id = 3                                     | 3
            delete from api_key_secret where key_id = 3; delete from api_key where id = 3   | 3
            create temp table key_change (like key_change including all); update api_key set owner = 'b' where id = 2 | 2
            update plan set per_day = 7 where name = 'pro'                                  | 3
            update plan set per_day = 7 where name = 'business'                             |
            truncate api_key_secret                                                         | 1 2 3 4
            truncate api_key cascade                                                        | 1 2 3 4
            update api_key set last_used_at = now()                                         |
            begin; update api_key set owner = 'b'; rollback                                 |
            begin; savepoint a; update api_key set owner = 'b' where id = 1; release a; commit | 1
            drop table key_change cascade; create table metering.key_change (changed xid8, key_id bigint, plan text) | 1 2 3 4
            insert into key_change (changed, key_id) values ('999999999', 1)                |
            """)
    void look_afterAChange_forgetsTheCopiesThatItConcerns(String sql, String forgotten) throws SQLException {
        run(sql);
        look.look();
        assertForgotten(forgotten);
        readAll();
        look.look();
        assertForgotten();
    }

    /** Many changes and looks pass meanwhile, and one transaction that keeps the snapshot's lower bound back. */
    @Test
    void change_thatCommitsLate_isSeenByTheNextLook() throws SQLException {
        try (Connection open = connect();
                Connection late = connect()) {
            open.setAutoCommit(false);
            open.createStatement().execute("select pg_current_xact_id()");
            late.setAutoCommit(false);
            late.createStatement().execute("update api_key set owner = 'late' where id = 1");
            for (int i = 0; i < 3; i++) {
                run("update api_key set owner = 'early' where id = 2");
                look.look();
                assertForgotten("2");
                copies.read(hash(2)).join();
            }
            look.look();
            assertForgotten();
            late.commit();
            look.look();
            assertForgotten("1");
        }
    }

    /** As long as it is tried, the replica is not away. */
    @Test
    void look_thatFails_changesNothingButWhenOneWasTried() throws SQLException {
        run("update api_key set owner = 'b' where id = 2; alter table plan rename to kept");
        pass(LONGEST_AWAY);
        assertTrue(look.isOverdue());
        look.tryToLook();
        assertFalse(look.isOverdue());
        assertForgotten();
        assertEquals(0, copies.lookedNanos());
        run("alter table kept rename to plan");
        look.look();
        assertForgotten("2");
        assertEquals(LONGEST_AWAY.toNanos(), copies.lookedNanos());
    }

    @Test
    void look_withoutAConnection_failsWithTheReasonOfThePool() {
        look.end(null);

        assertTrue(assertThrows(SQLException.class, look::look).getMessage().contains("pool is closed"));
    }

    /** A change that commits after its query began is not seen. */
    @Test
    void look_thatTakesLong_countsFromItsBeginning() throws SQLException {
        copies = new KeyCache(config, new Queries(), breaker, new SimpleMeterRegistry(), nowNanos::get) {
            @Override
            void forget(Predicate<CachedKey> which) {
                super.forget(which);
                pass(LONGEST_AWAY);
            }
        };
        KeyLook first = new KeyLook(copies, redis, nowNanos::get, pool);
        first.look();
        first.end(null);
        assertEquals(LONGEST_AWAY.toNanos(), nowNanos.get());
        assertEquals(0, copies.lookedNanos());
        assertTrue(first.isOverdue());
    }

    /** More changes than fit in a statement's time, once: the next look begins where this one has ended. */
    @Test
    void look_thatCannotReadTheChangesInTime_forgetsAllCopiesOnce() throws SQLException {
        run("alter table key_change rename to kept; truncate kept;"
                + " create function takes_long() returns boolean language plpgsql cost 1000000 as 'begin perform pg_sleep(0.7); return true; end';"
                + " create view metering.key_change as select * from kept where takes_long()");
        look.look();
        readAll();
        run("insert into kept (key_id) values (2), (3)");
        pass(Duration.ofSeconds(1));
        look.look();
        assertForgotten("1 2 3 4");
        assertEquals(Duration.ofSeconds(1).toNanos(), copies.lookedNanos());
        readAll();
        look.look();
        assertForgotten();
    }

    /** They were all in its sockets while it was stopped, say. */
    @Test
    void requests_ofAReplicaThatWasAway_shareALook() throws SQLException {
        run("update api_key set owner = 'b' where id = 2");
        pass(LONGEST_AWAY);
        CompletableFuture<Void> first;
        CompletableFuture<Void> second;
        KeyLook hanging = look;
        synchronized (hanging) { // No look can begin.
            first = look.tryNow();
            second = look.tryNow();
            assertFalse(first.isDone());
        }
        assertSame(first, second);
        first.join();
        assertForgotten("2");
        assertFalse(look.isOverdue());
    }

    /** Redis decides after a second then. */
    @Test
    void requests_ofAReplicaWhoseLookHangs_waitForASecond() {
        pass(LONGEST_AWAY);
        KeyLook hanging = look;
        synchronized (hanging) {
            look.tryNow().join();
            assertTrue(look.isOverdue());
            assertTrue(look.tryNow().isDone(), "others do not wait again");
        }
    }

    /** The next of those that are ten seconds apart is far then. */
    @Test
    void look_whenRedisIsBack_isTakenAtOnce() {
        long before = served.lookedNanos();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> served.lookedNanos() != before);
        long scheduled = served.lookedNanos();
        RedisState.refuseWrites(() -> Awaitility.await().until(redis::isFailing));
        Awaitility.await().atMost(Duration.ofSeconds(4)).until(() -> served.lookedNanos() != scheduled);
    }

    /** A change may have committed between its query and the return, unannounced. */
    @Test
    void look_thatHasBegunBeforeRedisIsBack_isFollowedByAnother() throws SQLException {
        pass(LONGEST_AWAY);
        try (Connection lock = connect()) {
            lock.setAutoCommit(false);
            lock.createStatement().execute("lock key_change");
            CompletableFuture<Void> begun = look.tryNow();
            Awaitility.await()
                    .until(() -> TestDatabase.column(connect(), "select 1 from pg_locks where not granted")
                                    .size()
                            == 1);
            pass(Duration.ofMillis(500));
            look.lookSoon();
            lock.commit();
            begun.join();
        }
        look.tryNow().join();
        pass(LONGEST_AWAY.minusMillis(1200));
        assertFalse(look.isOverdue());
    }

    /** A server whose backup was restored in place, for example. */
    @Test
    void look_thatFindsFewerTransactionsThanBefore_forgetsAllCopies() throws SQLException {
        look.seen = "4000000000:4000000000:";
        look.look();
        assertForgotten("1 2 3 4");
    }

    /** Its query may have begun before the change. */
    @Test
    void read_inFlightOverALook_decidesButIsForgotten() throws SQLException {
        mayEnd = new CountDownLatch(1);
        CompletableFuture<KeyCache.Copy> reading = copies.read(hash(2));
        run("update api_key set owner = 'b' where id = 3");
        look.look();
        mayEnd.countDown();
        assertEquals(2, reading.join().key().id());
        assertForgotten("2 3");
    }

    private void assertForgotten(String... ids) {
        String expected = ids.length == 0 || ids[0] == null ? "" : ids[0];
        String forgotten = ALL.stream()
                .filter(id -> copies.find(hash(id)).isForgotten())
                .sorted()
                .map(Object::toString)
                .collect(Collectors.joining(" "));
        assertEquals(expected, forgotten);
    }

    private void readAll() {
        ALL.forEach(id -> copies.read(hash(id)).join());
        assertForgotten();
    }

    private void pass(Duration time) {
        nowNanos.addAndGet(time.toNanos());
    }

    private Connection connect() throws SQLException {
        return TestServers.connect(database, LocalPostgres.USER);
    }

    private void run(String sql) throws SQLException {
        TestDatabase.column(connect(), sql);
    }

    private static KeyHash hash(long number) {
        return new KeyHash(number, 0, 0, 0);
    }

    /** Finds a key for each secret. */
    private final class Queries extends KeyQueries {
        Queries() {
            super(breaker, new SimpleMeterRegistry(), Ticker.systemTicker());
        }

        @Override
        List<Row> query(Collection<KeyHash> hashes) {
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return hashes.stream()
                    .map(hash -> new Row(
                            hash.bytes(),
                            hash.first(),
                            hash.first() == 3 ? "pro" : "free",
                            60,
                            1000,
                            1,
                            Instant.EPOCH,
                            null,
                            null,
                            null,
                            null,
                            null,
                            false))
                    .toList();
        }
    }
}
