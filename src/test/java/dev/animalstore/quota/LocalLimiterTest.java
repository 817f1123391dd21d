package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Decision.Window;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What differs from the script, with which {@link QuotaPropertyTest} compares all else. */
@Independent
class LocalLimiterTest {
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private final Limits limits = new Limits(2, 3);

    @Test
    void spend_oneOfThreeReplicas_admitsAThirdAndAtLeastOne() {
        LocalLimiter third = new LocalLimiter(clock, 3, 100);
        assertEquals(
                new Window(33, 32, clock.millis() + 60_000),
                third.spend("many", new Limits(100, 1000)).minute());
        assertEquals(1, third.spend("few", limits).minute().limit());
    }

    @Test
    void spend_refusedOftenByOneOfSixReplicas_isNeverBanned() {
        LocalLimiter sixth = new LocalLimiter(clock, 6, 100);
        Limits free = new Limits(60, 1000);
        List<Outcome> outcomes = Stream.generate(
                        () -> sixth.spend("subject", free).outcome())
                .limit(510)
                .toList();
        assertEquals(Collections.nCopies(10, ADMITTED), outcomes.subList(0, 10));
        assertEquals(Collections.nCopies(500, REFUSED), outcomes.subList(10, 510));
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
