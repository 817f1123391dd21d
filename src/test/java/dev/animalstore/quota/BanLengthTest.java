package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
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

/** How long a ban is: by the script on a real Redis, and by a replica that decides locally. */
@ParameterizedClass
@EnumSource
class BanLengthTest {
    private static final ScriptRunner REDIS = new ScriptRunner();
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");
    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Limits FREE = new Limits(60, 1000);

    /** The day is spent long before the strikes are, so that refusals go on over several minutes. */
    private static final Limits TEN_A_DAY = new Limits(20, 10);

    private final Keeper keeper;
    private final MovableClock clock = new MovableClock(NOON);

    BanLengthTest(Keeper keeper) {
        this.keeper = keeper;
    }

    @AfterAll
    static void close() {
        REDIS.close();
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
    void ban_withOtherFigures_followsThem() {
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
    void ban_shorterThanTheSpentMinute_isWorthRetryingWhenTheMinuteEnds() {
        Duration second = Duration.ofSeconds(1);
        Subject subject = newSubject(new BanRules(second, 1, second, second, FIRST));
        Decision banned = subject.spendUntilBanned(FREE);
        assertEquals(
                NOON.plus(second).toEpochMilli(), banned.ban().orElseThrow().untilMillis());
        assertEquals(60, banned.retryAfterSeconds());
        clock.advance(Duration.ofSeconds(60));
        assertEquals(ADMITTED, subject.spend(FREE).outcome());
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
