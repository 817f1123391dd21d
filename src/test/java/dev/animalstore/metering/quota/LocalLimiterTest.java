package dev.animalstore.metering.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import dev.animalstore.metering.quota.Decision.Window;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What differs from the script, with which {@link QuotaPropertyTest} compares all else. */
@Independent
class LocalLimiterTest {
    private final Clock clock = Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);
    private final Quota limits = new Quota(2, 3);

    @Test
    void spend_oneOfThreeReplicas_admitsAThirdAndAtLeastOne() {
        LocalLimiter third = new LocalLimiter(clock, 3, 100);
        assertEquals(
                new Window(33, 32, clock.millis() + 60_000),
                third.spend("many", new Quota(100, 1000)).minute());
        assertEquals(1, third.spend("few", limits).minute().limit());
    }

    @Test
    void spend_aFloodOfSubjects_remembersNoMoreThanTheMaximum() {
        LocalLimiter meter = new LocalLimiter(clock, 1, 100);
        for (int i = 0; i < 100_000; i++) {
            meter.spend("subject " + i, limits);
        }
        long remembered = IntStream.range(0, 100_000)
                .filter(i -> meter.peek("subject " + i, limits).day().remaining() < limits.perDay())
                .count();
        assertTrue(remembered <= 100, "remembers " + remembered);
    }
}
