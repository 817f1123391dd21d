package dev.animalstore.outage;

import com.github.benmanes.caffeine.cache.Ticker;
import io.quarkus.logging.Log;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Bounds how much of one kind of work with PostgreSQL runs at a time, so that what waits for a lock takes neither the threads nor the connections of
 * the rest. Work waits for its turn without a thread. What has waited for longer than a second is rejected when the next place is freed, so after at
 * most a second and the time that a place is taken. What comes while others have waited for that long, while too many wait, or while PostgreSQL is
 * known to fail, is rejected at once.
 *
 * <p>Which bound holds can be seen at the method of an operation. One that returns its result has the bound of {@code BulkheadFilter}: that of what
 * operators do, or of what customers read ({@code GET}) or write. One that returns a {@code Uni}, a {@code CompletionStage} or a stream has none there;
 * the class that it asks for the result calls {@link #run} with its own.
 */
public final class Bulkhead {
    private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MAXIMUM_WAITING = 1000;

    private static final CompletionStage<Void> TURN = CompletableFuture.completedFuture(null);

    private final RejectedExecutionException full;
    private final DatabaseBreaker database;
    private final Ticker ticker;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int free;
    private boolean rejecting;

    /** @param work names it in the failure of what is rejected */
    public Bulkhead(String work, int maximumRunning, DatabaseBreaker database, Ticker ticker) {
        full = new RejectedExecutionException("Too many " + work + " wait");
        free = maximumRunning;
        this.database = database;
        this.ticker = ticker;
    }

    /** Completes when the caller may begin, who must {@link #leave} then. Fails with {@link RejectedExecutionException}, which is an outage. */
    public synchronized CompletionStage<Void> enter() {
        if (database.isOpen()) {
            return CompletableFuture.failedFuture(DatabaseBreaker.rejection());
        }
        if (free > 0) {
            free--;
            return TURN;
        }
        if (waiting.size() == MAXIMUM_WAITING || (!waiting.isEmpty() && isLate(waiting.peek()))) {
            logRejection();
            return CompletableFuture.failedFuture(full);
        }
        Waiting next = new Waiting(new CompletableFuture<>(), ticker.read());
        waiting.add(next);
        return next.turn();
    }

    /**
     * Runs blocking work on another thread when it may begin. Fails as {@link #enter} does, or with the work. If the result is cancelled,
     * because a client has disconnected, the work still runs: its place would not be freed otherwise.
     */
    public <T> CompletableFuture<T> run(Supplier<T> work) {
        return enter().thenCompose(turn -> begin(work)).toCompletableFuture().copy();
    }

    private <T> CompletionStage<T> begin(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, Infrastructure.getDefaultWorkerPool())
                    .whenComplete((result, failure) -> leave());
        } catch (RejectedExecutionException shutDown) {
            leave();
            return CompletableFuture.failedFuture(shutDown);
        }
    }

    public void leave() {
        boolean away = database.isOpen();
        List<Waiting> rejected = new ArrayList<>();
        Waiting next;
        synchronized (this) {
            for (next = waiting.poll(); next != null && (away || isLate(next)); next = waiting.poll()) {
                rejected.add(next);
                if (!away) {
                    logRejection();
                }
            }
            if (next == null) {
                rejecting = false;
                free++;
            }
        }
        rejected.forEach(one -> one.turn().completeExceptionally(away ? DatabaseBreaker.rejection() : full));
        if (next != null) {
            next.turn().complete(null);
        }
    }

    /** Logs only the first until none waits any more. */
    private void logRejection() {
        if (!rejecting) {
            rejecting = true;
            Log.warnf("%s; some get 503", full.getMessage());
        }
    }

    private boolean isLate(Waiting one) {
        return ticker.read() - one.sinceNanos() > LONGEST_NANOS;
    }

    private record Waiting(CompletableFuture<Void> turn, long sinceNanos) {}
}
