package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.quota.Reply.Stale;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** {@code quota.lua} on a real Redis, with the time as an input. */
class QuotaScriptTest {
    private static final ScriptRunner REDIS = new ScriptRunner();
    // Far ahead, since Redis deletes at once what expires in its own past.
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");
    private static final Instant MIDNIGHT = Instant.parse("2126-03-02T00:00:00Z");

    private final long subject = ScriptRunner.newSubject();
    private final Limits limits = new Limits(2, 5);

    @AfterAll
    static void close() {
        REDIS.close();
    }

    @Test
    void spend_firstRequest_opensBothWindows() {
        Decision decision = spendAt(NOON);
        assertEquals(
                new Decision(
                        ADMITTED,
                        NOON.toEpochMilli(),
                        new Window(2, 1, NOON.plusSeconds(60).toEpochMilli()),
                        new Window(5, 4, MIDNIGHT.toEpochMilli()),
                        Optional.empty()),
                decision);
    }

    @Test
    void spend_minuteSpent_refusesAndChargesNeither() {
        spendAt(NOON);
        spendAt(NOON);
        Decision refused = spendAt(NOON.plusSeconds(1));
        assertEquals(REFUSED, refused.outcome());
        assertEquals(0, refused.minute().remaining());
        assertEquals(3, refused.day().remaining());
        assertEquals(3, spendAt(NOON.plusSeconds(2)).day().remaining());
    }

    @Test
    void spend_daySpentAndMinuteNotOpen_refusesAndOpensNoMinute() {
        spendAt(NOON);
        spendAt(NOON);
        spendAt(NOON.plusSeconds(60));
        spendAt(NOON.plusSeconds(60));
        spendAt(NOON.plusSeconds(120));
        Decision refused = spendAt(NOON.plusSeconds(180));
        assertEquals(REFUSED, refused.outcome());
        assertEquals(refused.day(), refused.binding());
        assertEquals(2, refused.minute().remaining());
        assertEquals(Duration.ofHours(12).minusMinutes(3).toSeconds(), refused.retryAfterSeconds());
    }

    @Test
    void spend_lastMillisecondOfTheMinute_isRefusedAndTheNextAdmitted() {
        spendAt(NOON);
        spendAt(NOON.plusSeconds(59));
        Instant end = NOON.plusSeconds(60);
        Decision last = spendAt(end.minusMillis(1));
        assertEquals(REFUSED, last.outcome());
        assertEquals(1, last.retryAfterSeconds());
        Decision next = spendAt(end);
        assertEquals(ADMITTED, next.outcome());
        assertEquals(end.plusSeconds(60).toEpochMilli(), next.minute().resetMillis());
    }

    @Test
    void spend_overMidnight_opensANewDayWhileTheMinuteContinues() {
        Instant justBefore = MIDNIGHT.minusMillis(1);
        assertEquals(MIDNIGHT.toEpochMilli(), spendAt(justBefore).day().resetMillis());
        Decision after = spendAt(MIDNIGHT);
        assertEquals(4, after.day().remaining());
        assertEquals(
                MIDNIGHT.plus(Duration.ofDays(1)).toEpochMilli(), after.day().resetMillis());
        assertEquals(0, after.minute().remaining());
        assertEquals(justBefore.plusSeconds(60).toEpochMilli(), after.minute().resetMillis());
    }

    @Test
    void spend_withAnOlderVersion_returnsTheNewestAndChargesNothing() {
        REDIS.spend(subject, 7, limits, NOON);
        String before = REDIS.hash(subject);
        assertEquals(new Stale(7), REDIS.reply(BanRules.CONTRACT, subject, 6, limits, 1, NOON));
        assertEquals(before, REDIS.hash(subject));
        assertEquals(0, REDIS.spend(subject, 8, limits, NOON).minute().remaining());
    }

    @Test
    void spend_limitsLoweredBelowTheCount_showsNothingLess() {
        spendAt(NOON);
        spendAt(NOON);
        Decision refused = REDIS.spend(subject, 1, new Limits(1, 1), NOON);
        assertEquals(REFUSED, refused.outcome());
        assertEquals(0, refused.minute().remaining());
        assertEquals(0, refused.day().remaining());
        assertEquals(MIDNIGHT.toEpochMilli(), refused.binding().resetMillis());
    }

    @Test
    void spend_clockSetBackADay_endsNoWindowLaterThanOneThatOpensNow() {
        spendAt(NOON.plus(Duration.ofDays(1)));
        Decision back = spendAt(NOON);
        assertEquals(ADMITTED, back.outcome());
        assertEquals(NOON.plusSeconds(60).toEpochMilli(), back.minute().resetMillis());
        assertEquals(MIDNIGHT.toEpochMilli(), back.day().resetMillis());
    }

    @Test
    void spend_refusedAfterTheClockWasSetBack_isAdmittedAfterRetryAfter() {
        spendAt(NOON);
        spendAt(NOON);
        Instant back = NOON.minusSeconds(30);
        assertEquals(60, spendAt(back).retryAfterSeconds());
        assertEquals(ADMITTED, spendAt(back.plusSeconds(60)).outcome());
    }

    @Test
    void spend_always_leavesAnExpiry() {
        REDIS.spend(subject, 1, limits);
        long rest = REDIS.millisToLive(subject);
        assertTrue(rest > Duration.ofDays(3).toMillis() - 1000, "expires in " + rest);
        assertTrue(rest <= Duration.ofDays(4).toMillis(), "expires in " + rest);
    }

    @Test
    void spend_withoutATime_takesThatOfRedis() {
        long before = REDIS.serverMillis();
        long decided = REDIS.spend(subject, 1, limits).nowMillis();
        assertTrue(before <= decided && decided <= REDIS.serverMillis());
    }

    private Decision spendAt(Instant time) {
        return REDIS.spend(subject, 1, limits, time);
    }
}
