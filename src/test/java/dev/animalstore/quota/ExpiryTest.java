package dev.animalstore.quota;

import static dev.animalstore.quota.Decision.Outcome.ADMITTED;
import static dev.animalstore.quota.Decision.Outcome.BANNED;
import static dev.animalstore.quota.Decision.Outcome.REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.quota.Decision.Outcome;
import io.vertx.redis.client.Command;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Every write to a subject's hash sets its expiry, even if the expiry was removed. */
class ExpiryTest {
    private static final ScriptRunner REDIS = new ScriptRunner();
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    /** How long the counts of a day are kept after it, to be collected. */
    private static final Duration KEPT = Duration.ofDays(3);

    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private final long subject = ScriptRunner.newSubject();
    private final Limits limits = new Limits(1, 100);

    @AfterAll
    static void close() {
        REDIS.close();
    }

    @Test
    void admitted_withoutAnExpiry_setsOneAfterMidnight() {
        REDIS.raise(subject, 1, HOUR);
        persist();
        spend(ADMITTED);
        assertExpiry(KEPT, KEPT.plus(DAY));
    }

    @Test
    void refused_withoutAnExpiry_setsOneAfterMidnight() {
        spend(ADMITTED);
        persist();
        spend(REFUSED);
        assertExpiry(KEPT, KEPT.plus(DAY));
    }

    @Test
    void banned_withoutAnExpiry_setsOneThatOutlivesTheBansLevel() {
        spend(ADMITTED);
        spend(REFUSED);
        persist();
        spend(BANNED);
        assertExpiry(KEPT, KEPT.plus(DAY));
    }

    @Test
    void spend_duringABanWithoutAnExpiry_setsItAgain() {
        spend(ADMITTED);
        spend(REFUSED);
        spend(BANNED);
        persist();
        spend(BANNED);
        assertExpiry(KEPT, KEPT.plus(DAY));
    }

    @Test
    void liftBan_always_leavesTheExpiry() {
        spend(ADMITTED);
        REDIS.liftBan(subject);
        assertExpiry(KEPT, KEPT.plus(DAY));
    }

    @Test
    void raise_ofASubjectWithoutAHash_expires() {
        REDIS.raise(subject, 5, HOUR);
        assertExpiry(HOUR, HOUR);
    }

    @Test
    void raise_withoutAnExpiry_setsOne() {
        spend(ADMITTED);
        persist();
        REDIS.raise(subject, 5, HOUR);
        assertExpiry(HOUR, HOUR);
    }

    @Test
    void raise_ofAHashThatIsKeptLonger_doesNotShortenThat() {
        spend(ADMITTED);
        REDIS.raise(subject, 5, Duration.ofSeconds(1));
        assertExpiry(KEPT, KEPT.plus(DAY));
    }

    private void spend(Outcome expected) {
        assertEquals(expected, REDIS.spend(subject, 1, limits).outcome());
    }

    private void persist() {
        assertEquals(1, REDIS.send(Command.PERSIST, QuotaScript.hash(subject)).toInteger());
    }

    private void assertExpiry(Duration least, Duration most) {
        Duration rest = Duration.ofMillis(REDIS.millisToLive(subject));
        assertTrue(rest.compareTo(least.minus(TOLERANCE)) > 0 && rest.compareTo(most) <= 0, "expires in " + rest);
    }
}
