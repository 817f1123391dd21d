package dev.animalstore.quota;

import dev.animalstore.fixture.MovableClock;
import java.util.Optional;

/** A new subject, whoever keeps its state. */
interface Subject {
    Decision spend(Limits limits);

    Decision peek(Limits limits);

    void liftBan();

    /** One that the script keeps. */
    static Subject inRedis(ScriptRunner redis, BanRules rules, MovableClock clock) {
        return new InRedis(redis, rules, clock, ScriptRunner.newSubject());
    }

    /** One that a replica keeps by itself. */
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
}
