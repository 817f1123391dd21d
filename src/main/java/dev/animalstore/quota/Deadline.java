package dev.animalstore.quota;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Fails what is not answered in time. All that is under way has the same time to be answered, so it comes to its end in the order in which
 * it began, and one sweep over the front of a queue serves where a timer for each request would cost more than the rest of a decision.
 */
final class Deadline {
    private static final long SWEEP_MILLIS = 5;

    private final Queue<Pending<?>> pending = new ConcurrentLinkedQueue<>();
    private final long nanos;
    private long lastSweep = System.nanoTime();

    /**
     * @param vertx sweeps
     * @param time how long an answer may take; it is cut off up to 5 ms later
     */
    Deadline(Vertx vertx, Duration time) {
        nanos = time.toNanos();
        vertx.setPeriodic(SWEEP_MILLIS, timer -> sweep());
    }

    /** The same future, which fails where it does not complete in time. */
    <T> Future<T> guard(Future<T> answer) {
        Promise<T> promise = Promise.promise();
        pending.add(new Pending<>(promise, System.nanoTime() + nanos));
        answer.onComplete(result -> {
            if (result.succeeded()) {
                promise.tryComplete(result.result());
            } else {
                promise.tryFail(result.cause());
            }
        });
        return promise.future();
    }

    private void sweep() {
        long now = System.nanoTime();
        boolean paused = now - lastSweep > nanos / 2;
        lastSweep = now;
        if (paused) {
            // This process stood still, as for a collection of garbage. Answers may lie in the socket; they get another
            // sweep's time.
            return;
        }
        for (Pending<?> first = pending.peek(); first != null && first.isOver(now); first = pending.peek()) {
            pending.poll();
            first.promise.tryFail("no answer within " + Duration.ofNanos(nanos).toMillis() + " ms");
        }
    }

    private record Pending<T>(Promise<T> promise, long endNanos) {
        boolean isOver(long now) {
            return promise.future().isComplete() || now - endNanos >= 0;
        }
    }
}
