package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import dev.animalstore.quota.Decision.Ban;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Decision.Window;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
        LocalLimiter third = new LocalLimiter(clock, 3, Optional.empty(), 100);
        assertEquals(
                new Window(33, 32, clock.millis() + 60_000),
                third.spend("many", new Limits(100, 1000), 0).minute());
        assertEquals(1, third.spend("few", limits, 0).minute().limit());
    }

    @Test
    void spend_refusedByOneOfSixReplicas_isBannedByTheWholeLimit() {
        LocalLimiter sixth = new LocalLimiter(clock, 6, Optional.of(BanRules.CONTRACT), 100);
        Limits free = new Limits(60, 1000);
        List<Outcome> outcomes = Stream.generate(
                        () -> sixth.spend("subject", free, 0).outcome())
                .limit(71)
                .toList();
        assertEquals(Collections.nCopies(10, ADMITTED), outcomes.subList(0, 10));
        assertEquals(Collections.nCopies(60, REFUSED), outcomes.subList(10, 70));
        assertEquals(BANNED, outcomes.get(70));
    }

    /** An operator may have lifted the ban. */
    @Test
    void newVersion_ofABannedSubject_endsTheBanForgetsStrikesAndLengthAndRefundsNothing() {
        LocalLimiter meter = new LocalLimiter(clock, 1, Optional.of(BanRules.CONTRACT), 100);
        Ban first = spendUntilBanned(meter, 1);
        now = now.plus(Duration.ofHours(1));
        assertEquals(2, spendUntilBanned(meter, 1).level());
        assertEquals(REFUSED, meter.peek("subject", limits, 2).outcome());
        assertEquals(0, meter.peek("subject", limits, 2).day().remaining());
        assertEquals(REFUSED, meter.spend("subject", limits, 2).outcome());
        assertEquals(first.level(), spendUntilBanned(meter, 2).level());
    }

    @Test
    void spend_aFloodOfSubjects_remembersNoMoreThanTheMaximum() {
        LocalLimiter meter = new LocalLimiter(clock, 1, Optional.empty(), 100);
        for (int i = 0; i < 100_000; i++) {
            meter.spend("subject " + i, limits, 0);
        }
        long remembered = IntStream.range(0, 100_000)
                .filter(i -> meter.peek("subject " + i, limits, 0).day().remaining() < limits.perDay())
                .count();
        assertTrue(remembered <= 100, "remembers " + remembered);
    }

    private Ban spendUntilBanned(LocalLimiter meter, long version) {
        return BanRules.ban(() -> meter.spend("subject", limits, version));
    }
}
