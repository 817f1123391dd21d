package dev.animalstore.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Sends 150 requests per second, however long they take, with several keys to two replicas in turn, and records the responses. */
public final class Traffic {
    /** Charges that a master may have acknowledged but not replicated when it dies; replication takes milliseconds. */
    private static final int LOST_IN_REPLICATION = 10;

    private static final long PERIOD_MICROS = 6_667;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<Replica> replicas;
    private final List<TestKey> keys;
    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Void>> sent = new ArrayList<>();
    private ScheduledFuture<?> ticks;
    private int turn;

    public Traffic(List<Replica> replicas, List<TestKey> keys) {
        this.replicas = replicas;
        this.keys = keys;
    }

    /** Sends requests until the JVMs are warm; a JVM that has just started is slower than the timeout of Redis. */
    public static void warmUp(List<Replica> replicas) {
        Traffic traffic = new Traffic(replicas, List.of(TestKey.unlimited()));
        traffic.start();
        traffic.awaitRequests(500);
        traffic.stop();
    }

    /** Whether alternate requests to both replicas are charged to one count. */
    public static boolean isShared(List<Replica> replicas, TestKey key) {
        List<Integer> remaining = Stream.of(0, 1, 0, 1)
                .map(i -> replicas.get(i).get("/v1/pets?limit=1", key).join())
                .map(response -> Integer.parseInt(
                        response.headers().firstValue("X-RateLimit-Remaining").orElseThrow()))
                .toList();
        int first = remaining.get(0);
        return remaining.equals(List.of(first, first - 1, first - 2, first - 3));
    }

    /** Waits until the quota is shared, for at most 15 s. */
    public static void awaitSharing(List<Replica> replicas, TestKey key) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> isShared(replicas, key));
    }

    /** A table of the traffic's results while Redis changed. */
    public static FigureTable table(String name) {
        return new FigureTable(
                name,
                "change",
                "requests",
                "200",
                "429",
                "most admitted of a key",
                "slowest ms",
                "shared again after ms");
    }

    public void report(FigureTable table, String change, long sharedAgain) {
        Attempts all = attempts();
        table.add(
                change,
                all.requests(),
                all.admitted(),
                all.refused(),
                mostAdmitted(all),
                Math.round(all.slowestMillis()),
                sharedAgain);
    }

    public void start() {
        ticks = clock.scheduleAtFixedRate(this::send, 0, PERIOD_MICROS, TimeUnit.MICROSECONDS);
    }

    void send() {
        TestKey key = keys.get(turn % keys.size());
        Replica replica = replicas.get(turn / keys.size() % replicas.size());
        turn++;
        sent.add(Attempt.send(key, "", () -> replica.get("/v1/pets?limit=1", key))
                .thenAccept(attempts::add));
    }

    public void awaitRequests(int count) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> attempts.size() >= count);
    }

    public void stop() {
        ticks.cancel(false);
        clock.shutdown();
        try {
            assertTrue(clock.awaitTermination(5, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All requests that were sent, once each has ended. */
    public Attempts attempts() {
        sent.forEach(CompletableFuture::join);
        return Attempts.of(attempts);
    }

    private static long admitted(Attempts attempts, TestKey key) {
        return attempts.count(
                attempt -> attempt.status() == 200 && attempt.key().equals(key));
    }

    /** The largest number of requests that were admitted of one key. */
    private long mostAdmitted(Attempts attempts) {
        return keys.stream().mapToLong(key -> admitted(attempts, key)).max().orElse(0);
    }

    /**
     * Checks that all requests were admitted or refused, and that no key exceeded its limit by more than what the two replicas may admit
     * locally, half of it each, and what a dead master had not replicated.
     */
    public void assertMetered(int perMinute) {
        Attempts all = attempts();
        assertEquals(0, all.others(), this::toString);
        assertTrue(mostAdmitted(all) <= 2 * perMinute + LOST_IN_REPLICATION, this::toString);
    }

    @Override
    public String toString() {
        Attempts all = attempts();
        return "statuses %s, slowest %.0f ms, admitted of each key %s"
                .formatted(
                        all.statuses(),
                        all.slowestMillis(),
                        keys.stream().map(key -> admitted(all, key)).toList());
    }
}
