package dev.animalstore.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.quota.Decision.Outcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Three instances meter 50 subjects on four plans at the same time, while plans change: in whatever order the requests reach Redis, every
 * window admits exactly the number of requests that its limit allows.
 *
 * <p>Time stands still during a batch of requests, and moves between the batches: by ten minutes in all, over a midnight. The admissions of
 * a subject in a batch must be the smaller of its requests and the rest of its limit. By induction, each window's admissions are the
 * smaller of its requests and its limit. If a plan changes during a batch, they are between the results of the two plans.
 */
class SimulationTest {
    private static final int BATCHES = 400;
    private static final int BATCH = 50;
    private static final int SUBJECTS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 3000;
    private static final double CHANGES_A_BATCH = 0.2;
    private static final Instant START = Instant.parse("2126-03-01T23:55:00Z");

    /** About a tenth of the real limits, so that the requests exhaust both windows of some subjects and neither of others. */
    private static final List<Limits> PLANS =
            List.of(new Limits(6, 40), new Limits(30, 1000), new Limits(100, 400), new Limits(1, 7));

    /** No bans: a ban would only delay requests, and not change what a window admits. */
    private static final BanRules NO_BANS =
            new BanRules(Duration.ofSeconds(60), 1e6, Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofHours(24));

    private final long seed = Long.getLong("simulation.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Instance> instances =
            Stream.generate(Instance::new).limit(3).toList();
    private final Map<Long, Plan> plans = new ConcurrentHashMap<>();
    private final Map<Long, Ledger> ledgers = new HashMap<>();
    private final AtomicInteger stale = new AtomicInteger();
    private Instant now = START;

    @AfterEach
    void close() {
        instances.forEach(instance -> instance.redis.close());
    }

    @Test
    void admissions_of20000RequestsOverThreeInstances_areTheSmallerOfRequestsAndLimit() {
        List<Long> subjects =
                Stream.generate(ScriptRunner::newSubject).limit(SUBJECTS).toList();
        for (long subject : subjects) {
            plans.put(subject, new Plan(1, anyLimits()));
            ledgers.put(subject, new Ledger());
        }
        for (int batch = 0; batch < BATCHES; batch++) {
            now = now.plusMillis(random.nextLong(LONGEST_PAUSE_MILLIS));
            if (random.nextDouble() < CHANGES_A_BATCH) {
                changePlan(any(subjects));
            }
            sendBatch(subjects);
        }
        subjects.forEach(this::assertChargedWhatWasAdmitted);
        assertTrue(now.isAfter(Instant.parse("2126-03-02T00:02:00Z")), "ended at " + now + seed());
        assertTrue(stale.get() > 0, "no instance ever had an outdated copy" + seed());
        assertTrue(sum(Ledger::admitted) > 1000 && sum(Ledger::refused) > 1000, "one-sided" + seed());
        assertEquals(BATCHES * BATCH, sum(Ledger::admitted) + sum(Ledger::refused));
    }

    private void sendBatch(List<Long> subjects) {
        long changing = random.nextDouble() < CHANGES_A_BATCH ? any(subjects) : 0;
        int changeAt = random.nextInt(BATCH);
        Limits before = changing == 0 ? null : plans.get(changing).limits();
        Map<Long, List<Future<Decision>>> sent = new HashMap<>();
        for (int i = 0; i < BATCH; i++) {
            if (changing != 0 && i == changeAt) {
                changePlan(changing);
            }
            // A few subjects send most of the requests.
            long subject = subjects.get((int) (SUBJECTS * Math.pow(random.nextDouble(), 3)));
            Instance instance = instances.get(random.nextInt(instances.size()));
            sent.computeIfAbsent(subject, key -> new ArrayList<>()).add(instance.spend(subject, now));
        }
        sent.forEach((subject, decisions) -> {
            Limits limits = plans.get(subject).limits();
            List<Limits> inForce = subject == changing ? List.of(before, limits) : List.of(limits);
            ledgers.get(subject).enter(subject, decisions, inForce);
        });
        assertChargedWhatWasAdmitted(any(subjects));
    }

    /** Changes the plan as the operators' API does: first where it is stored, then in Redis. */
    private void changePlan(long subject) {
        Plan changed = new Plan(plans.get(subject).version() + 1, anyLimits());
        plans.put(subject, changed);
        instances.get(0).redis.raise(subject, changed.version(), Duration.ofHours(1));
    }

    private void assertChargedWhatWasAdmitted(long subject) {
        Plan plan = plans.get(subject);
        Decision shown = instances.get(0).redis.decide(NO_BANS, subject, plan.version(), plan.limits(), 0, now);
        Ledger ledger = ledgers.get(subject);
        assertEquals(
                Math.max(0, ledger.minuteRoom(plan.limits())), shown.minute().remaining(), of(subject));
        assertEquals(Math.max(0, ledger.dayRoom(plan.limits())), shown.day().remaining(), of(subject));
    }

    private long any(List<Long> subjects) {
        return subjects.get(random.nextInt(subjects.size()));
    }

    private Limits anyLimits() {
        return PLANS.get(random.nextInt(PLANS.size()));
    }

    private int sum(ToIntFunction<Ledger> figure) {
        return ledgers.values().stream().mapToInt(figure).sum();
    }

    private String of(long subject) {
        return ", subject " + subject + " at " + now + seed();
    }

    private String seed() {
        return ", -Dsimulation.seed=" + seed;
    }

    private record Plan(long version, Limits limits) {}

    /** An instance with a connection and with copies of plans, which it reloads only if the script replies that they are outdated. */
    private final class Instance {
        private final ScriptRunner redis = new ScriptRunner();
        private final Map<Long, Plan> copies = new ConcurrentHashMap<>();

        Future<Decision> spend(long subject, Instant time) {
            Plan copy = copies.computeIfAbsent(subject, plans::get);
            return redis.start(NO_BANS, subject, copy.version(), copy.limits(), 1, time)
                    .compose(reply -> {
                        if (reply instanceof Decision decision) {
                            return Future.succeededFuture(decision);
                        }
                        stale.incrementAndGet();
                        copies.remove(subject, copy);
                        return spend(subject, time);
                    });
        }
    }

    /** The admissions of a subject. */
    private final class Ledger {
        private int admitted;
        private int refused;
        private Instant minuteEnd = START;
        private int inMinute;
        private Instant dayEnd = START;
        private int inDay;

        /** Records a batch, and checks that it was decided by one of the limits. */
        void enter(long subject, List<Future<Decision>> decisions, List<Limits> inForce) {
            int requested = decisions.size();
            List<Integer> due = inForce.stream()
                    .map(limits -> Math.max(0, Math.min(requested, Math.min(minuteRoom(limits), dayRoom(limits)))))
                    .sorted(Comparator.naturalOrder())
                    .toList();
            int got = (int) decisions.stream()
                    .map(ScriptRunner::await)
                    .filter(decision -> decision.outcome() == Outcome.ADMITTED)
                    .count();
            assertTrue(
                    due.get(0) <= got && got <= due.get(due.size() - 1),
                    () -> got + " of " + requested + " admitted, not " + due + of(subject));
            charge(got);
            refused += requested - got;
        }

        private void charge(int requests) {
            if (requests > 0 && !now.isBefore(minuteEnd)) {
                minuteEnd = now.plus(Duration.ofMinutes(1));
                inMinute = 0;
            }
            if (!now.isBefore(dayEnd)) {
                dayEnd = now.truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
                inDay = 0;
            }
            inMinute += requests;
            inDay += requests;
            admitted += requests;
        }

        int minuteRoom(Limits limits) {
            return limits.perMinute() - (now.isBefore(minuteEnd) ? inMinute : 0);
        }

        int dayRoom(Limits limits) {
            return limits.perDay() - (now.isBefore(dayEnd) ? inDay : 0);
        }

        int admitted() {
            return admitted;
        }

        int refused() {
            return refused;
        }
    }
}
