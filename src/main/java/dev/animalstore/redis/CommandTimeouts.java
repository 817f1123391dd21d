package dev.animalstore.redis;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Fails what Redis does not answer in time. Everything has the same time, so it comes to its end in the order in which it was sent, and one
 * look at the front of a queue every 5 ms serves where a timer for each request would cost more than the rest of a decision.
 *
 * <p>Time is counted in those looks and not by the clock. They run on the event loop that reads Redis's answers, and between two of them it
 * has read what there was. So what makes the process itself stand still, as a collection of garbage or a cold start does, is not taken for
 * a Redis that fails.
 *
 * <p>For use on that event loop only.
 */
final class CommandTimeouts {
    private static final long LOOK_MILLIS = 5;
    private static final long SHORTEST_NANOS = Duration.ofMillis(LOOK_MILLIS).toNanos() / 2;

    private final Queue<Pending> pending = new ArrayDeque<>();
    private final long looks;
    private long look;
    private long lastNanos = System.nanoTime();

    /**
     * @param vertx runs the looks; to be called on the event loop
     * @param time how long an answer may take; it is cut off up to 5 ms later
     */
    CommandTimeouts(Vertx vertx, Duration time) {
        looks = Math.max(1, time.toMillis() / LOOK_MILLIS);
        vertx.setPeriodic(LOOK_MILLIS, timer -> look());
    }

    /** Fails the promise, unless it is completed in time. */
    void add(Promise<?> answer) {
        pending.add(new Pending(answer, look + looks + 1));
    }

    private void look() {
        long now = System.nanoTime();
        if (now - lastNanos < SHORTEST_NANOS) {
            // A late timer is made up for at once, when there was no time to read.
            return;
        }
        lastNanos = now;
        look++;
        for (Pending first = pending.peek(); first != null && first.isOver(look); first = pending.peek()) {
            pending.poll();
            first.answer().tryFail("no answer within " + looks * LOOK_MILLIS + " ms");
        }
    }

    private record Pending(Promise<?> answer, long lastLook) {
        boolean isOver(long look) {
            return answer.future().isComplete() || look >= lastLook;
        }
    }
}
