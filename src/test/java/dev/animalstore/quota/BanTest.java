package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.quota.Decision.Ban;
import dev.animalstore.quota.Subject.Keeper;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a subject is banned, and what a ban does. */
class BanTest extends BanScenario {
    BanTest(Keeper keeper) {
        super(keeper);
    }

    @Test
    void spend_60RefusalsOfAFreeKey_causeNoBanButThe61stDoes() {
        Subject subject = newSubject(BanRules.CONTRACT);
        assertEquals(times(60, ADMITTED), subject.outcomes(FREE, 60));
        assertEquals(times(60, REFUSED), subject.outcomes(FREE, 60));
        assertEquals(BANNED, subject.spend(FREE).outcome());
    }

    @Test
    void spend_thatCausesTheBan_showsNothingRemainingUntilItEnds() {
        Decision banned = newSubject(BanRules.CONTRACT).spendUntilBanned(FREE);
        long end = NOON.plus(FIRST).toEpochMilli();
        assertEquals(new Window(60, 0, end), banned.binding());
        assertEquals(FIRST.toSeconds(), banned.retryAfterSeconds());
        assertEquals(940, banned.day().remaining());
        assertEquals(Optional.of(new Ban(end, 1)), banned.ban());
    }

    @Test
    void spend_bannedWithTheDaySpent_mayBeRetriedAtMidnight() {
        Decision banned = newSubject(BanRules.CONTRACT).spendUntilBanned(TEN_A_DAY);
        assertEquals(NOON.plus(FIRST).toEpochMilli(), banned.binding().resetMillis());
        assertEquals(Duration.ofHours(12).toSeconds(), banned.retryAfterSeconds());
    }

    @Test
    void spend_strikesWithinTheirWindow_causeTheBanInItsLastMillisecond() {
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

    /** If Redis is slow, the command that lifts a ban is sent again. */
    @Test
    void liftBan_byTheSameVersionAgain_keepsALaterBan() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.spendUntilBanned(TEN_A_DAY);
        subject.liftBan();
        subject.spendUntilBanned(TEN_A_DAY);
        subject.liftBan();
        assertEquals(BANNED, subject.peek(TEN_A_DAY).outcome());
    }

    @Test
    void liftBan_always_clearsTheStrikesAndRefundsNothing() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.outcomes(FREE, 120);
        subject.liftBan();
        assertEquals(times(60, REFUSED), subject.outcomes(FREE, 60));
        assertEquals(940, subject.peek(FREE).day().remaining());
    }
}
