package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.MovableClock;
import dev.animalstore.quota.Decision.Ban;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Subject.Keeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** When a subject is banned, and what a ban does: by the script on a real Redis, and by a replica that decides locally. */
@ParameterizedClass
@EnumSource
class BanTest {
    private static final ScriptRunner REDIS = new ScriptRunner();
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");
    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Limits FREE = new Limits(60, 1000);

    /** The day is spent long before the strikes are, so that refusals go on over several minutes. */
    private static final Limits TEN_A_DAY = new Limits(20, 10);

    private final Keeper keeper;
    private final MovableClock clock = new MovableClock(NOON);

    BanTest(Keeper keeper) {
        this.keeper = keeper;
    }

    @AfterAll
    static void close() {
        REDIS.close();
    }

    @Test
    void spend_60RefusalsOfAFreeKey_areNoBanAndThe61stIs() {
        Subject subject = newSubject(BanRules.CONTRACT);
        assertEquals(times(60, ADMITTED), subject.outcomes(FREE, 60));
        assertEquals(times(60, REFUSED), subject.outcomes(FREE, 60));
        assertEquals(BANNED, subject.spend(FREE).outcome());
    }

    @Test
    void spend_thatBringsTheBan_showsNothingLeftUntilItEnds() {
        Decision banned = newSubject(BanRules.CONTRACT).spendUntilBanned(FREE);
        long end = NOON.plus(FIRST).toEpochMilli();
        assertEquals(new Window(60, 0, end), banned.binding());
        assertEquals(FIRST.toSeconds(), banned.retryAfterSeconds());
        assertEquals(940, banned.day().remaining());
        assertEquals(Optional.of(new Ban(end, 1)), banned.ban());
    }

    @Test
    void spend_bannedWithTheDaySpent_isWorthRetryingAtMidnight() {
        Decision banned = newSubject(BanRules.CONTRACT).spendUntilBanned(TEN_A_DAY);
        assertEquals(NOON.plus(FIRST).toEpochMilli(), banned.binding().resetMillis());
        assertEquals(Duration.ofHours(12).toSeconds(), banned.retryAfterSeconds());
    }

    @Test
    void spend_strikesWithinTheirWindow_bringTheBanInItsLastMillisecond() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.outcomes(TEN_A_DAY, 11);
        clock.advance(Duration.ofSeconds(60).minus(MILLISECOND));
        assertEquals(times(19, REFUSED), subject.outcomes(TEN_A_DAY, 19));
        assertEquals(BANNED, subject.spend(TEN_A_DAY).outcome());
    }

    @Test
    void spend_refusalAfterTheStrikeWindow_opensANewOne() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.outcomes(TEN_A_DAY, 30);
        clock.advance(Duration.ofSeconds(60));
        assertEquals(times(20, REFUSED), subject.outcomes(TEN_A_DAY, 20));
        assertEquals(BANNED, subject.spend(TEN_A_DAY).outcome());
    }

    @Test
    void peek_ofASpentQuota_isNoStrike() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.outcomes(FREE, 61);
        for (int i = 0; i < 100; i++) {
            assertEquals(REFUSED, subject.peek(FREE).outcome());
        }
        assertEquals(times(59, REFUSED), subject.outcomes(FREE, 59));
    }

    @Test
    void spend_duringABan_neitherProlongsNorChargesAnything() {
        Subject subject = newSubject(BanRules.CONTRACT);
        Decision banned = subject.spendUntilBanned(FREE);
        clock.advance(FIRST.minus(MILLISECOND));
        assertEquals(times(500, BANNED), subject.outcomes(FREE, 500));
        assertEquals(banned.ban(), subject.spend(FREE).ban());
        clock.advance(MILLISECOND);
        Decision after = subject.spend(FREE);
        assertEquals(ADMITTED, after.outcome());
        assertEquals(59, after.minute().remaining());
        assertEquals(939, after.day().remaining());
    }

    @Test
    void ban_always_clearsTheStrikes() {
        BanRules rules = new BanRules(Duration.ofHours(1), 1, FIRST, FIRST, FIRST);
        Subject subject = newSubject(rules);
        banAndWait(subject, TEN_A_DAY);
        assertEquals(times(20, REFUSED), subject.outcomes(TEN_A_DAY, 20));
        assertEquals(BANNED, subject.spend(TEN_A_DAY).outcome());
    }

    @Test
    void liftBan_ofABannedSubject_endsTheBanAndForgetsItsLength() {
        Subject subject = newSubject(BanRules.CONTRACT);
        banAndWait(subject, TEN_A_DAY);
        subject.spendUntilBanned(TEN_A_DAY);
        subject.liftBan();
        assertEquals(REFUSED, subject.peek(TEN_A_DAY).outcome());
        assertEquals(FIRST, banAndWait(subject, TEN_A_DAY));
    }

    /** A lifting that Redis was slow to carry out is sent again. */
    @Test
    void liftBan_byTheSameVersionAgain_leavesTheBanThatWasEarnedMeanwhile() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.spendUntilBanned(TEN_A_DAY);
        subject.liftBan();
        subject.spendUntilBanned(TEN_A_DAY);
        subject.liftBan();
        assertEquals(BANNED, subject.peek(TEN_A_DAY).outcome());
    }

    @Test
    void liftBan_always_clearsTheStrikesAndGivesNothingBack() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.outcomes(FREE, 120);
        subject.liftBan();
        assertEquals(times(60, REFUSED), subject.outcomes(FREE, 60));
        assertEquals(940, subject.peek(FREE).day().remaining());
    }

    private Subject newSubject(BanRules rules) {
        return keeper.newSubject(REDIS, rules, clock);
    }

    /** Goes on until the ban comes, and waits for its end; says how long it was. */
    private Duration banAndWait(Subject subject, Limits limits) {
        Ban ban = subject.spendUntilBanned(limits).ban().orElseThrow();
        Duration length = Duration.between(clock.instant(), Instant.ofEpochMilli(ban.untilMillis()));
        clock.advance(length);
        return length;
    }

    private static List<Outcome> times(int count, Outcome outcome) {
        return Collections.nCopies(count, outcome);
    }
}
