package dev.animalstore.usage;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Collecting the usage of a replica that was killed. */
@QuarkusTest
class UsageSweepTest {
    private static final String KILLED = "'00000000-0000-0000-0000-00000000dead'";

    @Inject
    UsageSweep sweep;

    @Test
    void sweepIfDue_afterAReplicaWasKilled_collectsWhatItMetered() {
        sweep.sweepIfDue();
        TestKey key = TestKey.of("free");
        try (Jedis redis = new Jedis(URI.create(TestServers.redis()))) {
            long midnight = Instant.now()
                    .truncatedTo(ChronoUnit.DAYS)
                    .plus(1, ChronoUnit.DAYS)
                    .toEpochMilli();
            redis.hset(
                    RedisState.hash(key),
                    Map.of("v", "1", "dc", "7", "de", Long.toString(midnight), "dr", "2", "db", "1", "di", "100"));
        }
        TestDatabase.execute(
                "insert into usage_collector (replica, seen_at) values (" + KILLED + ", now() - interval '1 minute')");

        sweep.sweepIfDue();

        assertThat(
                TestDatabase.query("select admitted from usage_day where key_id = " + key.id()), equalTo(List.of(7L)));
        assertThat(
                TestDatabase.query("select count(*) from usage_collector where replica = " + KILLED),
                equalTo(List.of(0L)));
    }
}
