package dev.animalstore.quota;

import dev.animalstore.fixture.MovableClock;
import dev.animalstore.quota.Decision.Ban;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Subject.Keeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of bans: by the script on a real Redis, and by local decisions of a replica. */
@ParameterizedClass
@EnumSource
abstract class BanScenario {
    static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");
    static final Duration FIRST = Duration.ofMinutes(5);
    static final Duration MILLISECOND = Duration.ofMillis(1);
    static final Limits FREE = new Limits(60, 1000);

    /** Limits whose day is exhausted long before the strikes suffice for a ban, so that refusals continue over several minutes. */
    static final Limits TEN_A_DAY = new Limits(20, 10);

    private static ScriptRunner redis;

    final MovableClock clock = new MovableClock(NOON);
    private final Keeper keeper;

    BanScenario(Keeper keeper) {
        this.keeper = keeper;
    }

    @BeforeAll
    static void connect() {
        redis = new ScriptRunner();
    }

    @AfterAll
    static void close() {
        redis.close();
    }

    Subject newSubject(BanRules rules) {
        return keeper.newSubject(redis, rules, clock);
    }

    /** Sends requests until the subject is banned, waits for the end of the ban, and returns its length. */
    Duration banAndWait(Subject subject, Limits limits) {
        Ban ban = subject.spendUntilBanned(limits).ban().orElseThrow();
        Duration length = Duration.between(clock.instant(), Instant.ofEpochMilli(ban.untilMillis()));
        clock.advance(length);
        return length;
    }

    static List<Outcome> times(int count, Outcome outcome) {
        return Collections.nCopies(count, outcome);
    }
}
