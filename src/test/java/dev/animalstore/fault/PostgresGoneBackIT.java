package dev.animalstore.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.PostgresProcess;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two replicas whose PostgreSQL loses changes that both of them and Redis know: it is set back, or a standby that has not received them takes over.
 * What PostgreSQL says then is the truth.
 */
@Tag("timed")
@Tag("long")
class PostgresGoneBackIT {
    private static final Duration LONGEST = Duration.ofSeconds(30).plus(Replica.ROOM);

    @AutoClose
    private final RedisProcess redis = new RedisProcess("redis-of-a-restore");

    @AutoClose
    private final PostgresProcess postgres = new PostgresProcess("postgres-of-a-restore");

    PostgresGoneBackIT() throws IOException {}

    @Test
    void changes_thatARestoreHasLost_areForgottenWithinThirtySeconds() throws Exception {
        String url = postgres.url();
        try (Replica first = start(url);
                Replica second = start(url)) {
            List<Replica> replicas = List.of(first, second);
            TestKey key = first.issue("{\"owner\":\"a\",\"plan\":\"free\"}");
            postgres.backUp();
            TestKey later = change(key, replicas);
            postgres.restore();
            awaitGoneBack(key, later, replicas);
        }
    }

    /** The standby looks like a server that was never changed: it runs, and its tables are the same. */
    @Test
    void changes_thatAFailOverHasLost_areForgottenWithinThirtySeconds() throws Exception {
        try (PostgresProcess standby = postgres.follow("standby-of-a-restore")) {
            String url = postgres.url().replaceFirst("(//[^/]+)", "$1," + standby.address());
            try (Replica first = start(url);
                    Replica second = start(url)) {
                List<Replica> replicas = List.of(first, second);
                TestKey key = first.issue("{\"owner\":\"a\",\"plan\":\"free\"}");
                postgres.leaveBehind(standby);
                TestKey later = change(key, replicas);
                postgres.kill();
                standby.execute("select pg_promote()");
                // So that the number of transactions tells nothing.
                for (int i = 0; i < 50; i++) {
                    standby.execute("select pg_current_xact_id()");
                }
                awaitGoneBack(key, later, replicas);
            }
        }
    }

    private Replica start(String url) throws IOException {
        return Replica.startWithTimeouts(
                Map.of("quarkus.datasource.jdbc.url", url, "quarkus.redis.hosts", redis.address()));
    }

    /** Changes the plan of a key, and issues another one; both replicas and Redis know both. */
    private static TestKey change(TestKey key, List<Replica> replicas) {
        Awaitility.await().until(() -> limits(key, replicas).equals(List.of("60", "60")));
        String body = "{\"plan\":\"business\"}";
        assertEquals(
                200, replicas.get(1).operate("PATCH", Operator.path(key), body).statusCode());
        TestKey later = replicas.get(1).issue("{\"owner\":\"later\",\"plan\":\"pro\"}");
        assertEquals(List.of("1000", "1000"), limits(key, replicas));
        assertEquals(List.of("300", "300"), limits(later, replicas));
        return later;
    }

    private static void awaitGoneBack(TestKey key, TestKey later, List<Replica> replicas) {
        Awaitility.await().atMost(LONGEST).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            assertEquals(List.of("60", "60"), limits(key, replicas));
            // The budget of failures, since the key does not exist any more.
            assertEquals(List.of("10000", "10000"), limits(later, replicas));
        });
    }

    private static List<String> limits(TestKey key, List<Replica> replicas) {
        return replicas.stream()
                .map(replica -> replica.list(key).join())
                .map(HttpResponse::headers)
                .map(headers -> headers.firstValue("X-RateLimit-Limit").orElse("none"))
                .toList();
    }
}
