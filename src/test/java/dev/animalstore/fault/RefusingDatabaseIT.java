package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Attempts.Attempt;
import dev.animalstore.load.Load;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A PostgreSQL behind a proxy that responds, but refuses log-ins or writes for a while. */
@Tag("long")
class RefusingDatabaseIT {
    private static final Path SERVERS = Path.of("target", "test-servers");
    private static final Duration FAULT_TIME = Duration.ofSeconds(3);
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(5);
    private static final int CLIENTS = 32;

    private static RedisProcess redis;
    private static PostgresProcess server;
    private static PostgresProcess standby;
    private static ServerSocket proxy;
    private static volatile int target;
    private static Replica replica;
    private static TestKey key;

    @BeforeAll
    static void start() throws Exception {
        redis = new RedisProcess(SERVERS.resolve("redis-of-refused"));
        Path folder = SERVERS.resolve("refusing-postgres");
        server = new PostgresProcess(folder);
        Path logIns = folder.resolve("data").resolve("pg_hba.conf");
        Files.writeString(logIns, "host all service 127.0.0.1/32 scram-sha-256\n" + Files.readString(logIns));
        server.execute(
                "select pg_reload_conf()",
                "create role service login superuser password 'old'",
                "alter role service set lock_timeout = '300ms'");
        standby = server.follow(SERVERS.resolve("refusing-standby"), Settings.freePort());
        target = server.port();
        proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(RefusingDatabaseIT::relay);
        replica = Replica.startWithTimeouts(Map.of(
                "quarkus.datasource.jdbc.url",
                "jdbc:postgresql://127.0.0.1:" + proxy.getLocalPort() + "/postgres",
                "quarkus.datasource.username",
                "service",
                "quarkus.datasource.password",
                "old",
                "quarkus.redis.hosts",
                redis.address()));
        key = replica.issue(Operator.UNLIMITED);
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
        proxy.close();
        server.close();
        standby.close();
        redis.close();
    }

    /** Settings of a role or a database are those of new sessions, so the others are ended. The proxy ends none. */
    @ParameterizedTest
    @CsvSource({
        "false, alter role service nologin, alter role service login",
        "false, alter role service password $$new$$, alter role service password $$old$$",
        "false, alter database postgres set default_transaction_read_only = on, alter database postgres reset default_transaction_read_only",
        "false, begin; lock table pet in share mode, rollback",
        "true, begin, rollback"
    })
    void additions_whileTheyAreRefused_are503AndSucceedAfterwards(boolean toStandby, String begin, String end)
            throws Exception {
        try (Connection operator = server.connect();
                Statement statement = operator.createStatement()) {
            Load load = Load.additions(CLIENTS, false, replica, key);
            load.awaitMore(CLIENTS);
            target = toStandby ? standby.port() : server.port();
            statement.execute(begin);
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service'");
            load.continueFor(FAULT_TIME);
            statement.execute(end);
            target = server.port();

            Awaitility.await()
                    .atMost(LONGEST_RECOVERY.plus(Replica.ROOM))
                    .until(() -> nextAttempts(load).allMatch(Attempt::isAdded));
            Attempts failed = load.stop().filter(attempt -> !attempt.isAdded());
            assertTrue(failed.requests() > 0, "the fault was felt");
            assertEquals(failed.requests(), failed.count(Attempt::isUnavailable), failed::toString);
        }
    }

    /** More requests than the pool has connections. */
    private static Stream<Attempt> nextAttempts(Load load) {
        int before = load.attempts().requests();
        load.awaitMore(2 * CLIENTS);
        return load.attempts().all().stream().skip(before);
    }

    /** Leads each new connection to the target. */
    private static void relay() {
        while (!proxy.isClosed()) {
            try {
                Socket client = proxy.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                start(() -> copy(client, server));
                start(() -> copy(server, client));
            } catch (IOException closed) {
                // The test ends, or a server has ended.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // The other direction ends too, since both sockets are closed.
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }
}
