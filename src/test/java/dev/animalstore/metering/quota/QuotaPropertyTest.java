package dev.animalstore.metering.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.Decision.Window;
import dev.animalstore.metering.quota.Reply.Outdated;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/**
 * Compares {@code quota.lua} on a real Redis and {@link LocalLimiter} with {@link QuotaModel}, on random sequences of requests at random
 * times. A failure shows the shortest sequence that jqwik finds, and its seed.
 */
class QuotaPropertyTest {
    private static final ScriptRunner REDIS = new ScriptRunner();
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");
    private static final long FIRST_VERSION = 10;
    private static final String OUTDATED = "outdated";

    /** More strikes than a run has requests. With such rules decisions in memory are those of the script. */
    private static final double NO_BANS = 1_000_000;

    @AfterContainer
    static void close() {
        REDIS.close();
    }

    @Property(tries = 1000)
    @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
    void decisions_ofScriptAndMemory_areThoseOfTheModel(
            @ForAll("rules") BanRules rules, @ForAll("limits") List<Quota> limits, @ForAll("steps") List<Step> steps) {
        Run run = new Run(rules, limits);
        steps.forEach(run::take);
        Statistics.label("outcome").coverage(coverage -> {
            for (Outcome outcome : Outcome.values()) {
                coverage.check(outcome).percentage(share -> share > 1);
            }
            coverage.check(OUTDATED).percentage(share -> share > 1);
        });
    }

    @Provide
    Arbitrary<BanRules> rules() {
        return Combinators.combine(
                        seconds(1, 120),
                        Arbitraries.of(0, 0, 1, 10).map(Duration::ofSeconds),
                        Arbitraries.of(0.1, 0.5, 1.0, 2.0, NO_BANS),
                        seconds(1, 600),
                        seconds(60, 3600),
                        seconds(60, 172_800))
                .as(BanRules::new);
    }

    /** Some limits, between which the subject's plan changes. */
    @Provide
    Arbitrary<List<Quota>> limits() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.integers().between(1, 12))
                .as(Quota::new)
                .list()
                .ofSize(3);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> mostlyTheFirst = Arbitraries.frequency(Tuple.of(10, 0), Tuple.of(1, 1), Tuple.of(1, 2));
        Arbitrary<Integer> versionChange = Arbitraries.frequency(Tuple.of(20, 0), Tuple.of(1, 1), Tuple.of(1, -1));
        Arbitrary<Integer> cost = Arbitraries.frequency(Tuple.of(6, 1), Tuple.of(1, 0));
        return Combinators.combine(
                        Arbitraries.of(Move.class),
                        Arbitraries.doubles().between(0, 1),
                        versionChange,
                        mostlyTheFirst,
                        cost)
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }

    private static Arbitrary<Duration> seconds(int least, int most) {
        return Arbitraries.integers().between(least, most).map(Duration::ofSeconds);
    }

    /** The time to which the clock moves before a request. */
    enum Move {
        STAY,
        STAY_AGAIN,
        SECONDS,
        HOURS,
        BACK,
        EDGE_OF_MINUTE,
        EDGE_OF_DAY,
        EDGE_OF_BAN,
        RETRY_AFTER
    }

    /**
     * One request.
     *
     * @param part the part, from 0 to 1, of the time that the move allows
     */
    record Step(Move move, double part, int versionChange, int limits, int cost) {}

    /** One sequence of requests of one subject, and the last decision. */
    private static final class Run {
        private final long subject = ScriptRunner.newSubject();
        private final BanRules rules;
        private final List<Quota> limits;
        private final QuotaModel model;
        private final LocalLimiter memory;
        private long version = FIRST_VERSION;
        private Instant now = NOON;
        private Optional<Step> lastStep = Optional.empty();
        private Optional<Decision> last = Optional.empty();

        Run(BanRules rules, List<Quota> limits) {
            this.rules = rules;
            this.limits = limits;
            model = new QuotaModel(rules);
            memory = new LocalLimiter(((InstantSource) () -> now).withZone(ZoneOffset.UTC), 1, 10);
        }

        void take(Step step) {
            boolean waits = step.move() == Move.RETRY_AFTER
                    && last.filter(Run::isRefusal).isPresent();
            Step next = waits ? lastStep.orElseThrow() : step;
            if (step.move() != Move.RETRY_AFTER || waits) {
                now = now.plus(distance(step.move(), step.part()));
            }
            Optional<Decision> decision =
                    request(next.versionChange(), limits.get(next.limits()), waits ? 1 : next.cost());
            if (waits) {
                assertEquals(
                        Optional.of(Outcome.ADMITTED),
                        decision.map(Decision::outcome),
                        "after the Retry-After of " + last);
            }
            last = decision.filter(made -> waits || next.cost() > 0);
            lastStep = Optional.of(new Step(next.move(), 0, 0, next.limits(), 1));
        }

        /** Sends a request; empty if the copy of the key is outdated. */
        private Optional<Decision> request(int versionChange, Quota current, int cost) {
            long callers = version + versionChange;
            if (callers > version) {
                version = callers;
                REDIS.announce(subject, version, Duration.ofHours(1), Instant.EPOCH);
                model.announce(version);
            }
            Optional<Outdated> outdated = model.newerThan(callers);
            Reply reply = REDIS.reply(rules, ScriptRunner.copy(subject, callers, current), cost > 0, now);
            if (outdated.isPresent()) {
                Statistics.label("outcome").collect(OUTDATED);
                assertEquals(outdated.get(), reply);
                return Optional.empty();
            }
            Outcome outcome = model.decide(now, current, cost);
            Statistics.label("outcome").collect(outcome);
            Decision shown = model.shown(outcome, now, current, true);
            String name = Long.toString(subject);
            assertEquals(shown, reply, "the script");
            if (rules.strikesPerLimit() == NO_BANS) {
                Decision alone = cost > 0 ? memory.spend(name, current) : memory.peek(name, current);
                assertEquals(model.shown(outcome, now, current, false), alone, "in memory");
            }
            assertPlausible(shown);
            return Optional.of(shown);
        }

        private Duration distance(Move move, double part) {
            long millisNow = now.toEpochMilli();
            long edge = Math.round(part * 4) - 2;
            long millis = switch (move) {
                case STAY, STAY_AGAIN -> 0;
                case SECONDS -> Math.round(part * 70_000);
                case HOURS -> Math.round(part * Duration.ofHours(30).toMillis());
                case BACK ->
                    -Math.round(Math.pow(part, 6) * Duration.ofDays(400).toMillis());
                case EDGE_OF_MINUTE ->
                    last.map(it -> it.minute().resetMillis() - millisNow + edge).orElse(0L);
                case EDGE_OF_DAY ->
                    last.map(it -> it.day().resetMillis() - millisNow + edge).orElse(0L);
                case EDGE_OF_BAN ->
                    last.flatMap(Decision::ban)
                            .map(ban -> ban.untilMillis() - millisNow + edge)
                            .orElse(0L);
                case RETRY_AFTER -> last.orElseThrow().retryAfterSeconds() * 1000;
            };
            return Duration.ofMillis(millis);
        }

        private static boolean isRefusal(Decision decision) {
            return decision.outcome() == Outcome.REFUSED || decision.outcome() == Outcome.BANNED;
        }

        private static void assertPlausible(Decision decision) {
            for (Window window : List.of(decision.minute(), decision.day(), decision.binding())) {
                assertTrue(window.remaining() >= 0 && window.remaining() <= window.limit(), decision::toString);
                assertTrue(window.resetMillis() > decision.nowMillis(), decision::toString);
            }
            assertTrue(decision.retryAfterSeconds() >= 1, decision::toString);
            assertTrue(
                    !isRefusal(decision) || decision.binding().remaining() == 0,
                    "a refusal without a reason: " + decision);
        }
    }
}
