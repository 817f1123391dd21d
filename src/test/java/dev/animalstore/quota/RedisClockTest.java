package dev.animalstore.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Independent;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time of Redis, as a replica on another host knows it. */
@Independent
class RedisClockTest {
    private final RedisClock clock = new RedisClock();

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void time_ofAHostWhoseClockIsWrong_isThatOfRedis(int hours) {
        respond(Duration.ZERO, Duration.ofHours(hours));
        assertEquals(hours, hoursAhead());
        respond(Duration.ZERO, Duration.ZERO);
        assertEquals(0, hoursAhead());
    }

    /** The process was suspended meanwhile, or the response was delayed. */
    @Test
    void time_isNotMovedByAResponseThatTookLong() {
        respond(Duration.ofHours(3), Duration.ofHours(-3));
        assertEquals(0, hoursAhead());
        respond(Duration.ZERO, Duration.ofHours(1));
        respond(Duration.ofHours(3), Duration.ZERO);
        assertEquals(1, hoursAhead());
    }

    /** @param ahead what Redis's clock was ahead of the host's clock now, when Redis read it */
    private void respond(Duration roundTrip, Duration ahead) {
        long now = clock.hostMillis();
        clock.correct(now - roundTrip.toMillis(), now + ahead.toMillis());
    }

    private long hoursAhead() {
        return Math.round(Duration.between(Instant.now(), clock.instant()).toMillis() / 3_600_000.0);
    }
}
