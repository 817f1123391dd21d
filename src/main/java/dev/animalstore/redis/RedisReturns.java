package dev.animalstore.redis;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** How often Redis has come back after it could not be reached, and what is to be done then. */
final class RedisReturns {
    /** How long a connection that follows another one has to wait until it counts. */
    private static final long PAUSE_MILLIS = 1000;

    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private final AtomicLong count = new AtomicLong();
    private final AtomicBoolean pausing = new AtomicBoolean();
    private final AtomicBoolean missed = new AtomicBoolean();
    private final Vertx vertx;

    RedisReturns(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Has something done at each return. It must not block. */
    void add(Runnable action) {
        actions.add(action);
    }

    /** The number changes once all that is to be done has been done. */
    long count() {
        return count.get();
    }

    /** Redis is back. */
    void record() {
        actions.forEach(Runnable::run);
        count.incrementAndGet();
    }

    /**
     * Redis is connected to anew, which is a return. If it happens again within a second it counts at the end of that second: a cluster that
     * has lost a master is connected to anew for each command that the master does not answer.
     */
    void recordConnection() {
        if (!pausing.compareAndSet(false, true)) {
            missed.set(true);
            return;
        }
        missed.set(false);
        record();
        vertx.setTimer(PAUSE_MILLIS, timer -> {
            pausing.set(false);
            if (missed.get()) {
                recordConnection();
            }
        });
    }
}
