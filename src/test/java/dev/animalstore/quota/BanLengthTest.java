package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.quota.Decision.Ban;
import dev.animalstore.quota.Subject.Keeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a ban is. */
class BanLengthTest extends BanScenario {
    BanLengthTest(Keeper keeper) {
        super(keeper);
    }

    @Test
    void ban_afterBan_isTwiceAsLongUpToAnHour() {
        Subject subject = newSubject(BanRules.CONTRACT);
        for (long minutes : new long[] {5, 10, 20, 40, 60, 60}) {
            assertEquals(Duration.ofMinutes(minutes), banAndWait(subject, TEN_A_DAY));
        }
    }

    @Test
    void ban_24HoursAfterTheLastOneBegan_isShortAgain() {
        Subject subject = newSubject(BanRules.CONTRACT);
        banAndWait(subject, TEN_A_DAY);
        clock.advance(Duration.ofHours(24).minus(FIRST));
        assertEquals(FIRST, banAndWait(subject, TEN_A_DAY));
    }

    @Test
    void ban_aMillisecondLessThan24HoursAfterTheLastOneBegan_isTwiceAsLong() {
        Subject subject = newSubject(BanRules.CONTRACT);
        banAndWait(subject, TEN_A_DAY);
        clock.advance(Duration.ofHours(24).minus(FIRST).minus(MILLISECOND));
        assertEquals(FIRST.multipliedBy(2), banAndWait(subject, TEN_A_DAY));
    }

    @Test
    void ban_clockSetBackTenHours_endsAtMostTheLongestBanFromNow() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.spendUntilBanned(FREE);
        Instant back = NOON.minus(Duration.ofHours(10));
        clock.advance(Duration.ofHours(-10));
        Ban corrected = subject.spend(FREE).ban().orElseThrow();
        assertEquals(new Ban(back.plus(Duration.ofHours(1)).toEpochMilli(), 1), corrected);
        clock.advance(Duration.ofMinutes(59));
        assertEquals(Optional.of(corrected), subject.spend(FREE).ban());
        clock.advance(Duration.ofMinutes(1));
        assertEquals(ADMITTED, subject.spend(FREE).outcome());
    }

    @Test
    void ban_24HoursAfterTheClockWasSetBackAYear_isShortAgain() {
        Subject subject = newSubject(BanRules.CONTRACT);
        subject.spendUntilBanned(TEN_A_DAY);
        clock.advance(Duration.ofDays(-365));
        subject.spend(TEN_A_DAY);
        clock.advance(Duration.ofHours(24));
        assertEquals(FIRST, banAndWait(subject, TEN_A_DAY));
    }

    @Test
    void ban_withOtherSettings_followsThem() {
        Duration seconds90 = Duration.ofSeconds(90);
        BanRules rules = new BanRules(Duration.ofSeconds(10), 0.5, Duration.ofMinutes(1), seconds90, FIRST);
        Subject subject = newSubject(rules);
        assertEquals(times(10, REFUSED), subject.outcomes(TEN_A_DAY, 20).subList(10, 20));
        clock.advance(Duration.ofSeconds(10));
        assertEquals(times(10, REFUSED), subject.outcomes(TEN_A_DAY, 10));
        assertEquals(Duration.ofMinutes(1), banAndWait(subject, TEN_A_DAY));
        assertEquals(seconds90, banAndWait(subject, TEN_A_DAY));
        clock.advance(FIRST.minus(seconds90));
        assertEquals(Duration.ofMinutes(1), banAndWait(subject, TEN_A_DAY));
    }

    @Test
    void ban_shorterThanTheSpentMinute_mayBeRetriedWhenTheMinuteEnds() {
        Duration second = Duration.ofSeconds(1);
        Subject subject = newSubject(new BanRules(second, 1, second, second, FIRST));
        Decision banned = subject.spendUntilBanned(FREE);
        assertEquals(
                NOON.plus(second).toEpochMilli(), banned.ban().orElseThrow().untilMillis());
        assertEquals(60, banned.retryAfterSeconds());
        clock.advance(Duration.ofSeconds(60));
        assertEquals(ADMITTED, subject.spend(FREE).outcome());
    }
}
