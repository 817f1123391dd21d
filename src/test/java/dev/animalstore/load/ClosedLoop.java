package dev.animalstore.load;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Clients that each send one request after another, and wait for each response, until they are stopped. */
abstract class ClosedLoop {
    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private volatile boolean stopped;

    /** Starts clients, each in a thread of its own. */
    final void start(int count) {
        for (int i = 0; i < count; i++) {
            int client = i;
            clients.add(CompletableFuture.runAsync(() -> send(client), task -> new Thread(task).start()));
        }
    }

    /** Sends the requests of one client, whose number begins at 0, until {@link #isStopped()}. */
    abstract void send(int client);

    final boolean isStopped() {
        return stopped;
    }

    final void add(Attempt attempt) {
        attempts.add(attempt);
    }

    /** The requests that have ended so far. */
    public final Attempts attempts() {
        return Attempts.of(attempts);
    }

    /** Waits until some more requests have ended. */
    public final void awaitMore(int requests) {
        int goal = attempts.size() + requests;
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> attempts.size() >= goal);
    }

    /** Returns after some time, in which the clients keep sending. */
    public final void continueFor(Duration time) {
        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {}, after(time));
        CompletableFuture<Void> ended = CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new));
        CompletableFuture.anyOf(end, ended).join();
        assertFalse(ended.isDone(), "Every client has ended early.");
    }

    /** Stops the clients after some time. */
    final Attempts stopAfter(Duration time) {
        after(time).execute(() -> stopped = true);
        return join();
    }

    /** Stops the clients, each after the response that it waits for. */
    public final Attempts stop() {
        stopped = true;
        return join();
    }

    private Attempts join() {
        clients.forEach(CompletableFuture::join);
        return attempts();
    }

    private static Executor after(Duration time) {
        return CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
