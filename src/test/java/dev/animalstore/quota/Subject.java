package dev.animalstore.quota;

import dev.animalstore.fixture.MovableClock;
import dev.animalstore.quota.Decision.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A new subject, with its state in Redis or in memory. */
interface Subject {
    Decision spend(Limits limits);

    Decision peek(Limits limits);

    void liftBan();

    /** Sends requests until the subject is banned, and returns the decision that bans it. */
    default Decision spendUntilBanned(Limits limits) {
        return Stream.generate(() -> spend(limits))
                .limit(1000)
                .filter(decision -> decision.outcome() == Outcome.BANNED)
                .findFirst()
                .orElseThrow();
    }

    /** Sends requests, and returns the outcome of each. */
    default List<Outcome> outcomes(Limits limits, int requests) {
        return Stream.generate(() -> spend(limits).outcome()).limit(requests).toList();
    }

    /** A subject that the script meters. */
    static Subject inRedis(ScriptRunner redis, BanRules rules, MovableClock clock) {
        return new InRedis(redis, rules, clock, ScriptRunner.newSubject());
    }

    /** A subject that a replica meters locally. */
    static Subject inMemory(BanRules rules, MovableClock clock) {
        return new InMemory(new LocalLimiter(clock, 1, Optional.of(rules), 10));
    }

    /** See {@link #inRedis}. */
    record InRedis(ScriptRunner redis, BanRules rules, MovableClock clock, long id) implements Subject {
        @Override
        public Decision spend(Limits limits) {
            return redis.decide(rules, id, 1, limits, 1, clock.instant());
        }

        @Override
        public Decision peek(Limits limits) {
            return redis.decide(rules, id, 1, limits, 0, clock.instant());
        }

        @Override
        public void liftBan() {
            redis.liftBan(id);
        }
    }

    /** See {@link #inMemory}. */
    record InMemory(LocalLimiter meter) implements Subject {
        @Override
        public Decision spend(Limits limits) {
            return meter.spend("subject", limits);
        }

        @Override
        public Decision peek(Limits limits) {
            return meter.peek("subject", limits);
        }

        @Override
        public void liftBan() {
            meter.liftBan("subject", 1);
        }
    }

    /** Where the state of a subject is kept. */
    enum Keeper {
        REDIS,
        MEMORY;

        Subject newSubject(ScriptRunner redis, BanRules rules, MovableClock clock) {
            return this == REDIS ? inRedis(redis, rules, clock) : inMemory(rules, clock);
        }
    }
}
