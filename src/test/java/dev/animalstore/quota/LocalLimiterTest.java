package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.MovableClock;
import dev.animalstore.quota.Decision.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LocalLimiterTest {
    private final MovableClock clock = new MovableClock(Instant.parse("2026-03-01T23:59:30Z"));
    private final LocalLimiter meter = new LocalLimiter(clock, 1, Optional.empty(), 100);
    private final Limits limits = new Limits(2, 3);

    @Test
    void spend_overTheMinute_isRefusedUntilItEnds() {
        spend(2);
        Decision refused = spend(1);
        assertEquals(REFUSED, refused.outcome());
        assertEquals(60, refused.retryAfterSeconds());
        clock.advance(Duration.ofSeconds(refused.retryAfterSeconds()));
        assertEquals(ADMITTED, spend(1).outcome());
    }

    @Test
    void spend_overTheDay_isRefusedUntilMidnight() {
        Limits oneADay = new Limits(5, 1);
        meter.spend("subject", oneADay);
        Decision refused = meter.spend("subject", oneADay);
        assertEquals(REFUSED, refused.outcome());
        assertEquals(30, refused.retryAfterSeconds());
        clock.advance(Duration.ofSeconds(30));
        assertEquals(ADMITTED, meter.spend("subject", oneADay).outcome());
    }

    @Test
    void spend_oneOfThreeReplicas_admitsAThirdAndAtLeastOne() {
        LocalLimiter third = new LocalLimiter(clock, 3, Optional.empty(), 100);
        assertEquals(
                new Window(33, 32, clock.millis() + 60_000),
                third.spend("many", new Limits(100, 1000)).minute());
        assertEquals(1, third.spend("few", limits).minute().limit());
    }

    @Test
    void spend_refusedByOneOfSixReplicas_isBannedByTheWholeLimit() {
        LocalLimiter sixth = new LocalLimiter(clock, 6, Optional.of(BanRules.CONTRACT), 100);
        Limits free = new Limits(60, 1000);
        List<Outcome> outcomes = Stream.generate(
                        () -> sixth.spend("subject", free).outcome())
                .limit(71)
                .toList();
        assertEquals(Collections.nCopies(10, ADMITTED), outcomes.subList(0, 10));
        assertEquals(Collections.nCopies(60, REFUSED), outcomes.subList(10, 70));
        assertEquals(BANNED, outcomes.get(70));
    }

    @Test
    void peek_always_chargesNothing() {
        spend(1);
        assertEquals(1, meter.peek("subject", limits).minute().remaining());
        assertEquals(1, meter.peek("subject", limits).minute().remaining());
        assertEquals(2, meter.peek("another", limits).minute().remaining());
    }

    @Test
    void spend_aFloodOfSubjects_remembersNoMoreThanTheMaximum() {
        for (int i = 0; i < 100_000; i++) {
            meter.spend("subject " + i, limits);
        }
        assertTrue(meter.subjects() <= 100, "remembers " + meter.subjects());
    }

    private Decision spend(int times) {
        Decision last = null;
        for (int i = 0; i < times; i++) {
            last = meter.spend("subject", limits);
        }
        return last;
    }
}
