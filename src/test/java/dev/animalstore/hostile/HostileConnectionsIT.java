package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.ProxyProcess;
import dev.animalstore.process.ProxyProcess.Kind;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections that are meant to exhaust memory or threads, through a proxy, to a replica with the heap size of the manifests. */
@Tag("long")
@EnabledIf(
        value = "dev.animalstore.process.ProxyProcess#areInstalled",
        disabledReason = "haproxy, nginx or curl is not on the PATH.")
class HostileConnectionsIT {
    private static final int ATTACKERS = 300;
    private static final int CUSTOMERS = 8;

    /** The table in SECURITY.md is of 8 s. */
    private static final int SECONDS = Integer.getInteger("hostile.seconds", 4);

    private static final int PIPELINED = 100;
    private static final int LONGEST_LIST = 100;

    /** In a list, each character of its name takes 12 bytes of JSON. */
    private static final String LONGEST_PET = "{\"name\":\"" + "\ud83d\ude00".repeat(255) + "\",\"categoryId\":1}";

    private static final FigureTable FIGURES =
            new FigureTable("hostile-connections.md", "proxy | attack | responses | median ms | slowest ms");

    @AutoClose
    private static Replica replica;

    private static TestKey key;

    @BeforeAll
    static void start() throws Exception {
        String database = TestDatabase.recreate("hostile_connections_it");
        replica = Replica.start(
                Map.of("quarkus.datasource.jdbc.url", database, "animalstore.proxies", "1"),
                "-Xmx307m",
                "-XX:+ExitOnOutOfMemoryError");
        key = replica.issue(Operator.UNLIMITED);
        for (int i = 0; i < LONGEST_LIST; i++) {
            replica.post("/v1/pets", key, LONGEST_PET).join();
        }
    }

    /** Each attacker sends the beginning at once, and then a byte per second. */
    @ParameterizedTest
    @CsvSource({
        "HAPROXY, UNFINISHED_HEADS",
        "NGINX, UNFINISHED_HEADS",
        "HAPROXY, UNFINISHED_UPLOADS",
        "NGINX, UNFINISHED_UPLOADS",
        "NGINX_UNBUFFERED, UNFINISHED_UPLOADS",
        "HAPROXY, UNREAD_LISTS",
        "NGINX, UNREAD_LISTS",
        "HAPROXY, REFUSED_REQUESTS",
        "NGINX, REFUSED_REQUESTS",
        "HAPROXY, NONE",
        "NGINX, NONE"
    })
    void customers_behindTheSameProxyAsAttackers_areServed(Kind kind, Attack attack) throws IOException {
        List<KeptConnection> attackers = new ArrayList<>();
        try (ProxyProcess proxy = new ProxyProcess(kind, replica.port())) {
            for (int i = 0; attack != Attack.NONE && i < ATTACKERS; i++) {
                attackers.add(new KeptConnection(proxy.port(), 2304));
                sendIfOpen(attackers.get(i), attack.begin());
            }
            Attempts attempts;
            try (Load customers = Load.lists(CUSTOMERS, Duration.ZERO, proxy.port(), key)) {
                for (int second = 0; second < SECONDS; second++) {
                    customers.continueFor(Duration.ofSeconds(1));
                    attackers.forEach(attacker -> sendIfOpen(attacker, "a"));
                }
                attempts = customers.stop();
            }
            FIGURES.add(
                    FigureTable.words(kind),
                    FigureTable.words(attack),
                    attempts.admitted(),
                    attempts.medianMillis(),
                    attempts.slowestMillis());
            assertTrue(attempts.requests() > CUSTOMERS * SECONDS, attempts::toString);
            assertEquals(attempts.requests(), attempts.admitted(), attempts::toString);
        } finally {
            KeptConnection.closeAll(attackers);
        }
        assertEquals(200, replica.status("/q/health/ready"));
    }

    private static void sendIfOpen(KeptConnection connection, String bytes) {
        try {
            connection.send(bytes);
        } catch (IOException closed) {
            // The proxy may end it.
        }
    }

    private enum Attack {
        NONE,
        UNFINISHED_HEADS,
        UNFINISHED_UPLOADS,
        UNREAD_LISTS,
        REFUSED_REQUESTS;

        String begin() {
            String list = RawHttp.head("GET /v1/pets?limit=" + LONGEST_LIST, key.text(), "Accept: */*");
            return switch (this) {
                case NONE -> "";
                case UNFINISHED_HEADS -> "GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Large: " + "a".repeat(8000);
                case UNFINISHED_UPLOADS ->
                    RawHttp.head("POST /v1/pets", key.text(), "Content-Length: 65536") + " ".repeat(65_000);
                case UNREAD_LISTS -> list.repeat(PIPELINED);
                case REFUSED_REQUESTS ->
                    RawHttp.head("GET /v1/pets", "none", "Accept: */*").repeat(PIPELINED);
            };
        }
    }
}
