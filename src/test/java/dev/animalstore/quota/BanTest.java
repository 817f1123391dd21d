package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.animalstore.quota.Decision.Ban;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Decision.Window;
import dev.animalstore.quota.QuotaScript.Charge;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** When the script bans a subject, and for how long, by the figures of the contract. {@link QuotaPropertyTest} tries other figures. */
class BanTest {
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");
    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final Limits FREE = new Limits(60, 1000);

    /** Limits whose day is exhausted long before the strikes suffice for a ban, so that refusals continue over several minutes. */
    private static final Limits TEN_A_DAY = new Limits(20, 10);

    @AutoClose
    private static final ScriptRunner REDIS = new ScriptRunner();

    private final long subject = ScriptRunner.newSubject();
    private Instant now = NOON;
    private BanRules rules = BanRules.STRICT;

    @Test
    void spend_burstThatWasSentBeforeTheFirstRefusalWasKnown_causesNoBan() {
        rules = BanRules.CONTRACT;
        assertEquals(times(60, ADMITTED), outcomes(FREE, 60));
        assertEquals(times(200, REFUSED), outcomes(FREE, 200));
        now = now.plusMillis(1999);
        assertEquals(times(200, REFUSED), outcomes(FREE, 200));
    }

    @Test
    void spend_60RefusalsOfAFreeKeyTwoSecondsAfterTheFirst_causeABan() {
        rules = BanRules.CONTRACT;
        assertEquals(times(60, ADMITTED), outcomes(FREE, 60));
        assertEquals(times(1, REFUSED), outcomes(FREE, 1));
        now = now.plusSeconds(2);
        assertEquals(times(59, REFUSED), outcomes(FREE, 59));
        long end = now.plus(FIRST).toEpochMilli();
        long midnight = Instant.parse("2126-03-02T00:00:00Z").toEpochMilli();
        Window minute = new Window(60, 0, end);
        Window day = new Window(1000, 940, midnight);
        Decision banned = spend(FREE);
        assertEquals(new Decision(BANNED, now.toEpochMilli(), minute, day, Optional.of(new Ban(end, 1))), banned);
        assertEquals(minute, banned.binding());
        assertEquals(FIRST.toSeconds(), banned.retryAfterSeconds());
    }

    @Test
    void ban_afterBan_isTwiceAsLongUpToAnHour() {
        for (long minutes : new long[] {5, 10, 20, 40, 60, 60}) {
            Instant begin = now;
            now = Instant.ofEpochMilli(BanRules.ban(() -> spend(TEN_A_DAY)).untilMillis());
            assertEquals(Duration.ofMinutes(minutes), Duration.between(begin, now));
        }
    }

    /** Redis may execute a command after the operator was told that nothing was changed. */
    @Test
    void liftBan_thatIsLate_leavesTheBan() {
        BanRules.ban(() -> spend(TEN_A_DAY));
        Instant present = Instant.now();
        assertThrows(CompletionException.class, () -> liftBan(present.minusSeconds(1)));
        assertEquals(BANNED, spend(TEN_A_DAY).outcome());

        liftBan(present.plusSeconds(60));
        assertEquals(REFUSED, spend(TEN_A_DAY).outcome());
    }

    private void liftBan(Instant latest) {
        REDIS.announce(subject, 1, Duration.ofMillis(1), latest);
    }

    private List<Outcome> outcomes(Limits limits, int requests) {
        return Stream.generate(() -> spend(limits).outcome()).limit(requests).toList();
    }

    private Decision spend(Limits limits) {
        return (Decision) REDIS.reply(rules, ScriptRunner.copy(subject, 1, limits), Charge.ALWAYS, now);
    }

    private static List<Outcome> times(int count, Outcome outcome) {
        return Collections.nCopies(count, outcome);
    }
}
