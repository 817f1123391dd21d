package dev.animalstore.redis;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Counts how often Redis has become available again, and runs actions each time. */
final class RedisReturns {
    /** How long after one connection the next one counts. */
    private static final long PAUSE_MILLIS = 1000;

    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private final AtomicLong count = new AtomicLong();
    private final AtomicBoolean pausing = new AtomicBoolean();
    private final AtomicBoolean missed = new AtomicBoolean();
    private final Vertx vertx;

    RedisReturns(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Registers an action for each return. It must not block. */
    void add(Runnable action) {
        actions.add(action);
    }

    /** The number changes after all actions have run. */
    long count() {
        return count.get();
    }

    /** Redis is available again. */
    void record() {
        actions.forEach(Runnable::run);
        count.incrementAndGet();
    }

    /**
     * Redis has a new connection, which counts as a return. If that happens again within a second it counts at the end of that second: a
     * cluster that has lost a master reconnects for each command that the master does not answer.
     */
    void recordConnection() {
        if (!pausing.compareAndSet(false, true)) {
            missed.set(true);
            return;
        }
        missed.set(false);
        record();
        vertx.setTimer(PAUSE_MILLIS, ignored -> {
            pausing.set(false);
            if (missed.get()) {
                recordConnection();
            }
        });
    }
}
