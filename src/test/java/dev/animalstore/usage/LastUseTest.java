package dev.animalstore.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time of a key's last use is written soon, but rarely. A trigger counts the writes. */
@QuarkusTest
class LastUseTest {
    private static final int REQUESTS = 50;

    private final TestKey key = TestKey.unlimited();

    @Inject
    UsageRepository usage;

    @BeforeEach
    void countWrites() throws SQLException {
        execute("""
                create table last_use_write (key_id bigint);
                create function count_last_use() returns trigger language plpgsql as
                    'begin insert into last_use_write values (new.id); return new; end';
                create trigger count_last_use after update of last_used_at on api_key
                    for each row execute function count_last_use()""");
    }

    @AfterEach
    void countNoMore() throws SQLException {
        execute("""
                drop trigger count_last_use on api_key;
                drop function count_last_use;
                drop table last_use_write""");
    }

    @Test
    void lastUsedAt_afterManyRequests_isWrittenOnceForAllOfThem() throws SQLException {
        Instant start = Instant.now();
        Instant last = start;
        for (int i = 0; i < REQUESTS; i++) {
            last = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            key.given().get("/v1/pets?limit=1").then().statusCode(200);
        }
        Instant lastRequest = last;
        Instant end = Instant.now();

        // Written every 10 s.
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> writes() > 0 && !lastUse().isBefore(lastRequest));
        assertFalse(lastUse().isBefore(start));
        assertFalse(lastUse().isAfter(end));
        // Two if the requests are before and after a write, and one more for each ten seconds that they take.
        long most = 2 + Duration.between(start, end).toSeconds() / 10;
        assertTrue(writes() <= most, writes() + " writes");
    }

    @Test
    void lastUsedAt_afterARefusedRequest_staysAsItIs() throws SQLException {
        TestKey revoked = TestKey.of("free").update("revoked_at = now()");
        revoked.given().get("/v1/pets").then().statusCode(401);
        key.given().get("/v1/pets?limit=1").then().statusCode(200);
        Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> writes() > 0);
        assertEquals(null, Operator.stored(revoked).get("lastUsedAt"));
    }

    @Test
    void lastUsedAt_ofAWholeBatch_isWrittenForEach() throws SQLException {
        int count = UsageRepository.BATCH;
        execute("insert into api_key (owner, plan) select 'many', 'free' from generate_series(1, " + count + ")");
        long last = number("select max(id) from api_key where owner = 'many'");
        try {
            Map<Long, Long> used = new HashMap<>();
            for (long id = last - count + 1; id <= last; id++) {
                used.put(id, Instant.now().toEpochMilli());
            }
            usage.merge(List.of(), used);

            assertEquals(
                    count, number("select count(*) from api_key where owner = 'many' and last_used_at is not null"));
        } finally {
            execute("delete from api_key where owner = 'many'");
        }
    }

    private Instant lastUse() {
        return Instant.parse(Operator.show(key).extract().path("lastUsedAt"));
    }

    private long writes() throws SQLException {
        return number("select count(*) from last_use_write where key_id = " + key.id());
    }

    private static long number(String sql) throws SQLException {
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
