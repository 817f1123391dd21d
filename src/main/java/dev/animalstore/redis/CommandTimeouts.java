package dev.animalstore.redis;

import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeoutException;

/**
 * Fails commands to which Redis has not responded in time.
 *
 * <p>Time is counted in checks, one every 5 ms, and not by the clock. The checks run on the event loop that reads Redis's responses, which
 * reads all that have arrived between two checks. So a pause of the process, such as a garbage collection, is no failure of Redis. All
 * commands share one timeout, so they expire in order.
 *
 * <p>For use on that event loop only.
 */
final class CommandTimeouts {
    private static final long CHECK_MILLIS = 5;

    private final Queue<Pending> pending = new ArrayDeque<>();
    private final Vertx vertx;
    private final long timeoutChecks;
    private final TimeoutException late;
    private long check;
    private boolean stopped;

    /** A response may take the timeout, and up to 5 ms more. */
    CommandTimeouts(Vertx vertx, Context loop, Duration timeout) {
        this.vertx = vertx;
        timeoutChecks = Math.max(1, timeout.toMillis() / CHECK_MILLIS);
        late = new TimeoutException("no response within " + timeoutChecks * CHECK_MILLIS + " ms");
        loop.runOnContext(ignored -> check());
    }

    /** Fails the promise, unless it is completed in time. */
    void add(Promise<?> response) {
        pending.add(new Pending(response, check + timeoutChecks + 1));
    }

    private void check() {
        // Before the listeners, one of which may throw. Not periodic: such a timer makes up for a pause by firing many
        // times at once, before the event loop can read.
        if (!stopped) {
            vertx.setTimer(CHECK_MILLIS, ignored -> check());
        }
        check++;
        for (Pending first = pending.peek(); first != null && first.isOver(check); first = pending.peek()) {
            pending.poll();
            first.response().tryFail(late);
        }
    }

    void stop() {
        stopped = true;
    }

    private record Pending(Promise<?> response, long lastCheck) {
        boolean isOver(long check) {
            return response.future().isComplete() || check >= lastCheck;
        }
    }
}
