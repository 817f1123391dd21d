package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.MovableClock;
import dev.animalstore.quota.Decision.Ban;
import dev.animalstore.quota.Decision.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** When a subject is banned, and for how long: by the script on a real Redis, and by a replica that meters by itself. */
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
        assertEquals(times(60, ADMITTED), outcomes(subject, FREE, 60));
        assertEquals(times(60, REFUSED), outcomes(subject, FREE, 60));
        assertEquals(BANNED, subject.spend(FREE).outcome());
    }

    @Test
    void spend_thatBringsTheBan_showsNothingLeftUntilItEnds() {
        Decision banned = ban(newSubject(BanRules.CONTRACT), FREE);
        long end = NOON.plus(FIRST).toEpochMilli();
        assertEquals(new Window(60, 0, end), banned.binding());
        assertEquals(FIRST.toSeconds(), banned.retryAfterSeconds());
        assertEquals(940, banned.day().remaining());
        assertEquals(Optional.of(new Ban(end, 1)), banned.ban());
    }

    @Test
    void spend_bannedWithTheDaySpent_isWorthRetryingAtMidnight() {
        Decision banned = ban(newSubject(BanRules.CONTRACT), TEN_A_DAY);
        assertEquals(NOON.plus(FIRST).toEpochMilli(), banned.binding().resetMillis());
        assertEquals(Duration.ofHours(12).toSeconds(), banned.retryAfterSeconds());
    }

    @Test
    void spend_strikesWithinTheirWindow_bringTheBanInItsLastMillisecond() {
        Subject subject = newSubject(BanRules.CONTRACT);
        outcomes(subject, TEN_A_DAY, 11);
        clock.advance(Duration.ofSeconds(60).minus(MILLISECOND));
        assertEquals(times(19, REFUSED), outcomes(subject, TEN_A_DAY, 19));
        assertEquals(BANNED, subject.spend(TEN_A_DAY).outcome());
    }

    @Test
    void spend_refusalAfterTheStrikeWindow_opensANewOne() {
        Subject subject = newSubject(BanRules.CONTRACT);
        outcomes(subject, TEN_A_DAY, 30);
        clock.advance(Duration.ofSeconds(60));
        assertEquals(times(20, REFUSED), outcomes(subject, TEN_A_DAY, 20));
        assertEquals(BANNED, subject.spend(TEN_A_DAY).outcome());
    }

    @Test
    void peek_ofASpentQuota_isNoStrike() {
        Subject subject = newSubject(BanRules.CONTRACT);
        outcomes(subject, FREE, 61);
        for (int i = 0; i < 100; i++) {
            assertEquals(REFUSED, subject.peek(FREE).outcome());
        }
        assertEquals(times(59, REFUSED), outcomes(subject, FREE, 59));
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
    void spend_duringABan_neitherProlongsNorChargesAnything() {
        Subject subject = newSubject(BanRules.CONTRACT);
        Decision banned = ban(subject, FREE);
        clock.advance(FIRST.minus(MILLISECOND));
        assertEquals(times(500, BANNED), outcomes(subject, FREE, 500));
        assertEquals(banned.ban(), subject.spend(FREE).ban());
        clock.advance(MILLISECOND);
        Decision after = subject.spend(FREE);
        assertEquals(ADMITTED, after.outcome());
        assertEquals(59, after.minute().remaining());
        assertEquals(939, after.day().remaining());
    }

    @Test
    void ban_clockSetBackTenHours_endsAtMostTheLongestBanFromNow() {
        Subject subject = newSubject(BanRules.CONTRACT);
        ban(subject, FREE);
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
        ban(subject, TEN_A_DAY);
        clock.advance(Duration.ofDays(-365));
        subject.spend(TEN_A_DAY);
        clock.advance(Duration.ofHours(24));
        assertEquals(FIRST, banAndWait(subject, TEN_A_DAY));
    }

    @Test
    void ban_always_clearsTheStrikes() {
        BanRules rules = new BanRules(Duration.ofHours(1), 1, FIRST, FIRST, FIRST);
        Subject subject = newSubject(rules);
        banAndWait(subject, TEN_A_DAY);
        assertEquals(times(20, REFUSED), outcomes(subject, TEN_A_DAY, 20));
        assertEquals(BANNED, subject.spend(TEN_A_DAY).outcome());
    }

    @Test
    void liftBan_ofABannedSubject_endsTheBanAndForgetsItsLength() {
        Subject subject = newSubject(BanRules.CONTRACT);
        banAndWait(subject, TEN_A_DAY);
        ban(subject, TEN_A_DAY);
        subject.liftBan();
        assertEquals(REFUSED, subject.peek(TEN_A_DAY).outcome());
        assertEquals(FIRST, banAndWait(subject, TEN_A_DAY));
    }

    /** A lifting that Redis was slow to carry out is sent again. */
    @Test
    void liftBan_byTheSameVersionAgain_leavesTheBanThatWasEarnedMeanwhile() {
        Subject subject = newSubject(BanRules.CONTRACT);
        ban(subject, TEN_A_DAY);
        subject.liftBan();
        ban(subject, TEN_A_DAY);
        subject.liftBan();
        assertEquals(BANNED, subject.peek(TEN_A_DAY).outcome());
    }

    @Test
    void liftBan_always_clearsTheStrikesAndGivesNothingBack() {
        Subject subject = newSubject(BanRules.CONTRACT);
        outcomes(subject, FREE, 120);
        subject.liftBan();
        assertEquals(times(60, REFUSED), outcomes(subject, FREE, 60));
        assertEquals(940, subject.peek(FREE).day().remaining());
    }

    @Test
    void ban_withOtherFigures_followsThem() {
        Duration seconds90 = Duration.ofSeconds(90);
        BanRules rules = new BanRules(Duration.ofSeconds(10), 0.5, Duration.ofMinutes(1), seconds90, FIRST);
        Subject subject = newSubject(rules);
        assertEquals(times(10, REFUSED), outcomes(subject, TEN_A_DAY, 20).subList(10, 20));
        clock.advance(Duration.ofSeconds(10));
        assertEquals(times(10, REFUSED), outcomes(subject, TEN_A_DAY, 10));
        assertEquals(Duration.ofMinutes(1), banAndWait(subject, TEN_A_DAY));
        assertEquals(seconds90, banAndWait(subject, TEN_A_DAY));
        clock.advance(FIRST.minus(seconds90));
        assertEquals(Duration.ofMinutes(1), banAndWait(subject, TEN_A_DAY));
    }

    @Test
    void ban_shorterThanTheSpentMinute_isWorthRetryingWhenTheMinuteEnds() {
        Duration second = Duration.ofSeconds(1);
        Subject subject = newSubject(new BanRules(second, 1, second, second, FIRST));
        Decision banned = ban(subject, FREE);
        assertEquals(
                NOON.plus(second).toEpochMilli(), banned.ban().orElseThrow().untilMillis());
        assertEquals(60, banned.retryAfterSeconds());
        clock.advance(Duration.ofSeconds(60));
        assertEquals(ADMITTED, subject.spend(FREE).outcome());
    }

    private Subject newSubject(BanRules rules) {
        return keeper == Keeper.REDIS ? Subject.inRedis(REDIS, rules, clock) : Subject.inMemory(rules, clock);
    }

    /** Goes on until the ban comes, and waits for its end; says how long it was. */
    private Duration banAndWait(Subject subject, Limits limits) {
        Ban ban = ban(subject, limits).ban().orElseThrow();
        Duration length = Duration.between(clock.instant(), Instant.ofEpochMilli(ban.untilMillis()));
        clock.advance(length);
        return length;
    }

    private static Decision ban(Subject subject, Limits limits) {
        return Stream.generate(() -> subject.spend(limits))
                .limit(1000)
                .filter(decision -> decision.outcome() == BANNED)
                .findFirst()
                .orElseThrow();
    }

    private static List<Outcome> outcomes(Subject subject, Limits limits, int requests) {
        return Stream.generate(() -> subject.spend(limits).outcome())
                .limit(requests)
                .toList();
    }

    private static List<Outcome> times(int count, Outcome outcome) {
        return Collections.nCopies(count, outcome);
    }

    /** Who keeps the state of a subject. */
    enum Keeper {
        REDIS,
        MEMORY
    }
}
