package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Decision.Window;
import dev.animalstore.quota.QuotaScript.Charge;
import dev.animalstore.quota.Reply.Stale;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link QuotaPropertyTest} does not see of {@code quota.lua}, on a real Redis with the time as an input. */
class QuotaScriptTest {
    // Far ahead, since Redis deletes at once what expires in its own past.
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");

    /** A version. */
    private static final long TIME = 1_800_000_000_000_000L;

    private static final Duration HOUR = Duration.ofHours(1);

    /** How long the counts of a day are kept after it, to be collected. */
    private static final Duration KEPT = Duration.ofDays(3);

    @AutoClose
    private static final ScriptRunner REDIS = new ScriptRunner();

    private final long subject = ScriptRunner.newSubject();
    private final Limits limits = new Limits(2, 5);

    @Test
    void spend_bySubjectWithAnEarlierOnesIdentifier_startsAnew() {
        Subject earlier = new Subject(new SubjectId(subject, TIME), TIME, limits);
        decide(earlier, Charge.ALWAYS);
        decide(earlier, Charge.ALWAYS);
        assertEquals(REFUSED, decide(earlier, Charge.ALWAYS).outcome());
        Subject later = new Subject(new SubjectId(subject, TIME + 10), TIME + 20, limits);
        assertEquals(limits.perMinute(), decide(later, Charge.NONE).minute().remaining());
        assertEquals(ADMITTED, decide(later, Charge.ALWAYS).outcome());
        assertEquals(limits.perDay() - 2, decide(later, Charge.ALWAYS).day().remaining());
    }

    /** Version 0 stands for none, since a newer one may have been lost with the hash. No replica announces the other. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void spend_withoutAUsableVersion_isStaleUntilACurrentCopyIsCharged(long known) {
        Subject copy = new Subject(new SubjectId(subject, TIME), TIME, limits);
        REDIS.announce(subject, known, HOUR);
        assertEquals(new Stale(0), REDIS.reply(copy, Charge.IF_KNOWN, NOON));
        assertEquals(2, decide(copy, Charge.NONE).minute().remaining());
        assertEquals(1, decide(copy, Charge.ALWAYS).minute().remaining());
        assertEquals(0, decide(copy, Charge.IF_KNOWN).minute().remaining());
    }

    @Test
    void spend_withoutAnExpiry_setsItAfterMidnight() {
        REDIS.announce(subject, 1, HOUR);
        for (Outcome expected : List.of(ADMITTED, REFUSED, BANNED, BANNED)) {
            removeExpiry();
            assertEquals(
                    expected, REDIS.spendStrictly(subject, new Limits(1, 100)).outcome());
            assertExpiry(KEPT, KEPT.plus(Window.DAY));
        }
    }

    @Test
    void announcement_setsTheExpiryAndDoesNotShortenIt() {
        REDIS.announce(subject, 5, HOUR);
        assertExpiry(HOUR, HOUR);
        removeExpiry();
        REDIS.announce(subject, 5, HOUR);
        assertExpiry(HOUR, HOUR);
        REDIS.announce(subject, 6, Duration.ofSeconds(1));
        assertExpiry(HOUR, HOUR);
    }

    @Test
    void spend_withoutATime_takesThatOfRedis() {
        long before = System.currentTimeMillis();
        long decided = REDIS.spend(subject, 1, limits).nowMillis();
        assertTrue(before <= decided && decided <= System.currentTimeMillis());
    }

    private static Decision decide(Subject subject, Charge charge) {
        return (Decision) REDIS.reply(subject, charge, NOON);
    }

    private void removeExpiry() {
        assertEquals(1, REDIS.send(Command.PERSIST, ScriptRunner.name(subject)).toInteger());
    }

    private void assertExpiry(Duration least, Duration most) {
        Duration rest = Duration.ofMillis(REDIS.millisToLive(subject));
        Duration tolerance = Duration.ofSeconds(10);
        assertTrue(rest.compareTo(least.minus(tolerance)) > 0 && rest.compareTo(most) <= 0, "expires in " + rest);
    }
}
