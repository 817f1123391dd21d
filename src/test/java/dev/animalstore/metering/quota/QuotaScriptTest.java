package dev.animalstore.metering.quota;

import static dev.animalstore.metering.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.metering.quota.Decision.Outcome.BANNED;
import static dev.animalstore.metering.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.metering.quota.Decision.Ban;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.Decision.Window;
import dev.animalstore.metering.quota.Reply.Ended;
import dev.animalstore.metering.quota.Reply.Outdated;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link QuotaPropertyTest} does not see of {@code quota.lua}, on a real Redis with the time as an input, and bans by the figures of the
 * contract.
 */
class QuotaScriptTest {
    // Far ahead, since Redis deletes at once what expires in its own past.
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");

    private static final long VERSION = 10;
    private static final Duration HOUR = Duration.ofHours(1);

    /** How long the counts of a day are kept after it, to be collected. */
    private static final Duration KEPT = Duration.ofDays(3);

    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final Quota FREE = new Quota(60, 1000);

    /** Quota whose day is exhausted long before the strikes suffice for a ban, so that refusals continue over several minutes. */
    private static final Quota TEN_A_DAY = new Quota(20, 10);

    @AutoClose
    private static final ScriptRunner REDIS = new ScriptRunner();

    private final long subject = ScriptRunner.newSubject();
    private final Quota limits = new Quota(2, 5);
    private final Subject copy = ScriptRunner.copy(subject, VERSION, limits);
    private Instant now = NOON;
    private BanRules rules = BanRules.STRICT;

    @Test
    void spend_bySubjectWithAnEarlierOnesIdentifier_startsAnew() {
        for (Outcome expected : List.of(ADMITTED, ADMITTED, REFUSED)) {
            assertEquals(expected, decide(copy, true).outcome());
        }
        Subject later = new Subject(new SubjectId(subject, 1), 20, limits, Subject.NEVER);
        assertEquals(limits.perMinute(), decide(later, false).minute().remaining());
        assertEquals(ADMITTED, decide(later, true).outcome());
        assertEquals(limits.perDay() - 2, decide(later, true).day().remaining());
    }

    /** No replica announces the other one. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void spend_withoutAUsableVersion_isCharged(long known) {
        announce(known, HOUR);
        assertEquals(1, decide(copy, true).minute().remaining());
    }

    /** Outdated comes first, since a newer version may have another end. Redis's own clock is far before noon. */
    @ParameterizedTest
    @CsvSource({"0, 2126-03-01T12:00:00Z", "0, 1970-01-01T00:00:00Z", "1, 2126-03-01T12:00:00.001Z"})
    void subject_thatHasEnded_isChargedNothingAndNothingIsWritten(long ends, Instant time) {
        Subject ended = new Subject(copy.id(), VERSION, limits, ends == 0 ? 0 : time.toEpochMilli());
        assertEquals(new Ended(), REDIS.reply(BanRules.STRICT, ended, true, time));
        assertEquals(0, REDIS.send(Command.EXISTS, ScriptRunner.name(subject)).toInteger());
        announce(VERSION + 1, HOUR);
        assertEquals(new Outdated(VERSION + 1), REDIS.reply(BanRules.STRICT, ended, true, time));
    }

    @Test
    void subject_beforeItsEnd_isCharged() {
        Subject ending = new Subject(copy.id(), VERSION, limits, NOON.toEpochMilli() + 1);
        assertEquals(ADMITTED, decide(ending, true).outcome());
        assertEquals(new Ended(), REDIS.reply(BanRules.STRICT, ending, true, NOON.plusMillis(1)));
    }

    @Test
    void spend_withoutAnExpiry_setsItAfterMidnight() {
        announce(1, HOUR);
        for (Outcome expected : List.of(ADMITTED, REFUSED, BANNED, BANNED)) {
            removeExpiry();
            Subject strict = ScriptRunner.copy(subject, 1, new Quota(1, 100));
            assertEquals(expected, decide(strict, true, ScriptRunner.NOW).outcome());
            assertExpiry(KEPT, KEPT.plus(Window.DAY));
        }
    }

    /** That of a probe would grow by a field a day, since it never expires. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1"})
    void countsOfAPastDay_areKeptOnlyIfTheyAreCollected(long version, int fields) {
        Subject one = ScriptRunner.copy(subject, version, limits);
        for (Instant day : List.of(NOON, NOON.plus(Window.DAY))) {
            assertEquals(ADMITTED, decide(one, true, day).outcome());
        }
        String past = "u" + Duration.between(Instant.EPOCH, NOON).toDays();
        assertEquals(
                fields,
                REDIS.send(Command.HEXISTS, ScriptRunner.name(subject), past).toInteger());
    }

    @Test
    void hash_withABan_takesFewBytes() {
        for (Outcome expected : List.of(ADMITTED, REFUSED, BANNED)) {
            Subject one = ScriptRunner.copy(subject, 1, new Quota(1, 1000));
            assertEquals(expected, decide(one, true).outcome());
        }
        int bytes =
                REDIS.send(Command.MEMORY, "USAGE", ScriptRunner.name(subject)).toInteger();
        assertTrue(bytes < 300, bytes + " bytes");
    }

    /** Of two operators who change a key, the first may announce last. */
    @Test
    void announcement_ofAnOlderVersion_leavesTheNewerOne() {
        announce(VERSION + 2, HOUR);
        announce(VERSION + 1, HOUR);
        assertEquals(new Outdated(VERSION + 2), REDIS.reply(BanRules.STRICT, copy, true, NOON));
    }

    @Test
    void announcement_setsTheExpiryAndDoesNotShortenIt() {
        announce(5, HOUR);
        assertExpiry(HOUR, HOUR);
        removeExpiry();
        announce(5, HOUR);
        assertExpiry(HOUR, HOUR);
        announce(6, Duration.ofSeconds(1));
        assertExpiry(HOUR, HOUR);
    }

    @Test
    void spend_withoutATime_takesThatOfRedis() {
        long before = System.currentTimeMillis();
        long decided = decide(copy, true, ScriptRunner.NOW).nowMillis();
        assertTrue(before <= decided && decided <= System.currentTimeMillis());
    }

    private static Decision decide(Subject subject, boolean charged) {
        return decide(subject, charged, NOON);
    }

    private static Decision decide(Subject subject, boolean charged, Instant time) {
        return (Decision) REDIS.reply(BanRules.STRICT, subject, charged, time);
    }

    private void announce(long version, Duration knownFor) {
        REDIS.announce(subject, version, knownFor, Instant.EPOCH);
    }

    private void removeExpiry() {
        assertEquals(1, REDIS.send(Command.PERSIST, ScriptRunner.name(subject)).toInteger());
    }

    private void assertExpiry(Duration least, Duration most) {
        Duration rest = Duration.ofMillis(
                REDIS.send(Command.PTTL, ScriptRunner.name(subject)).toLong());
        Duration tolerance = Duration.ofSeconds(10);
        assertTrue(rest.compareTo(least.minus(tolerance)) > 0 && rest.compareTo(most) <= 0, "expires in " + rest);
    }

    /** What was sent before the first refusal was known is not counted. */
    @Test
    void spend_60RefusalsOfAFreeKeyFromTwoSecondsAfterTheFirst_causeABan() {
        rules = BanRules.CONTRACT;
        assertFree(60, ADMITTED);
        assertFree(200, REFUSED);
        now = now.plusMillis(1999);
        assertFree(200, REFUSED);
        now = now.plusMillis(1);
        assertFree(59, REFUSED);
        long end = now.plus(FIRST).toEpochMilli();
        long midnight = Instant.parse("2126-03-02T00:00:00Z").toEpochMilli();
        Window minute = new Window(60, 0, end);
        Window day = new Window(1000, 940, midnight);
        Decision banned = spend(FREE);
        assertEquals(new Decision(BANNED, now.toEpochMilli(), minute, day, Optional.of(new Ban(end, 1)), true), banned);
        assertEquals(minute, banned.binding());
        assertEquals(FIRST.toSeconds(), banned.retryAfterSeconds());
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

    /** Spends requests of a free key, which all have one outcome. */
    private void assertFree(int requests, Outcome expected) {
        Stream<Outcome> outcomes = Stream.generate(() -> spend(FREE).outcome()).limit(requests);
        assertEquals(Collections.nCopies(requests, expected), outcomes.toList());
    }

    private Decision spend(Quota limits) {
        return (Decision) REDIS.reply(rules, ScriptRunner.copy(subject, 1, limits), true, now);
    }
}
