package dev.animalstore.deployment;

import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.Program;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import io.restassured.RestAssured;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The package with the roles of {@code roles.sql} behind PgBouncer, which lends a connection of PostgreSQL for one transaction. */
@EnabledIf(value = "isInstalled", disabledReason = "There is no pgbouncer on the PATH.")
class PoolerIT {
    private static final Path SERVERS = Path.of("target", "test-servers");
    private static final int ADDITIONS = 20;

    @AutoClose
    private static RedisProcess redis;

    @AutoClose
    private static PostgresProcess server;

    private static Process pooler;

    @AutoClose("kill")
    private static Replica replica;

    private static TestKey key;

    static boolean isInstalled() {
        return Program.find("pgbouncer").isPresent();
    }

    @BeforeAll
    static void start() throws IOException, SQLException {
        redis = new RedisProcess("redis-beside-pooler");
        server = new PostgresProcess("pooled-postgres");
        server.execute(Files.readString(Path.of("src", "main", "kubernetes", "roles.sql")));
        int port = Settings.freePort();
        Path settings = SERVERS.resolve("pgbouncer.ini");
        Files.writeString(settings, """
                [databases]
                postgres = host=127.0.0.1 port=%d user=animalstore
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                min_pool_size = 20
                """.formatted(server.port(), port));
        // Like PostgreSQL, it refuses to run as root.
        List<String> command = new ArrayList<>(LinuxUtils.isUnshareAvailable() ? List.of("unshare", "-U") : List.of());
        command.addAll(List.of("pgbouncer", settings.toString()));
        pooler = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(SERVERS.resolve("pgbouncer.log").toFile())
                .start();
        String pooled = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?prepareThreshold=0";
        replica = Replica.startWithTimeouts(Map.ofEntries(
                Map.entry("quarkus.datasource.jdbc.url", pooled),
                Map.entry("quarkus.datasource.username", "animalstore"),
                Map.entry("quarkus.flyway.jdbc-url", server.url()),
                Map.entry("quarkus.flyway.username", "animalstore_owner"),
                Map.entry("quarkus.redis.hosts", redis.address())));
        key = replica.issue(Operator.UNLIMITED);
    }

    @AfterAll
    static void stop() {
        pooler.destroy();
    }

    @Test
    void service_behindThePooler_addsListsRepeatsAndSearches() {
        for (int i = 0; i < ADDITIONS; i++) {
            HttpResponse<String> added = replica.post("/v1/pets", key, Replica.PET, "Idempotency-Key", "pooled")
                    .join();
            assertEquals(201, added.statusCode());
            assertEquals(
                    i > 0, added.headers().firstValue("Idempotency-Replayed").isPresent());
        }
        assertTrue(replica.get("/v1/pets", key).join().body().contains("\"Rex\""));
        RestAssured.port = replica.port();
        Visitor.signIn()
                .get("/console/keys?owner=te")
                .statusCode(200)
                .body(containsString("/console/keys/" + key.id()));
    }

    /** The time in which a statement waits for a connection of the pooler is not PostgreSQL's, so all are opened first. */
    @Test
    void addition_thatGot503_isNotDoneLater() throws Exception {
        Awaitility.await()
                .until(() -> List.of("20")
                        .equals(TestDatabase.column(
                                server.connect(),
                                "select count(*) from pg_stat_activity where usename = 'animalstore'")));
        assertEquals(200, replica.status("/v1/pets", key));
        try (Connection operator = server.connect();
                Statement statement = operator.createStatement()) {
            operator.setAutoCommit(false);
            statement.execute("lock table pet in share mode");
            String pet = Replica.PET.replace("Rex", "Refused");
            Responses.atOnce(ADDITIONS, i -> replica.post("/v1/pets", key, pet))
                    .forEach(response -> assertEquals(503, response.statusCode()));
            operator.rollback();
        }
        // Waits until all earlier requests for a lock have ended.
        server.execute("begin; lock table pet in share mode; commit");
        assertEquals(List.of(), TestDatabase.column(server.connect(), "select name from pet where name = 'Refused'"));
    }
}
