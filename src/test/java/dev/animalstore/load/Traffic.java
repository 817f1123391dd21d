package dev.animalstore.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Requests with some keys to two replicas in turn, 150 a second whatever they take, and what they were answered. */
public final class Traffic {
    /** Charges that a master may have answered but not yet passed on when it dies; replication takes milliseconds. */
    private static final int LOST_IN_REPLICATION = 10;

    private static final long PERIOD_MICROS = 6_667;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<Replica> replicas;
    private final List<TestKey> keys;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Void>> sent = new ArrayList<>();
    private ScheduledFuture<?> ticks;
    private int turn;

    public Traffic(List<Replica> replicas, List<TestKey> keys) {
        this.replicas = replicas;
        this.keys = keys;
    }

    /** A JVM that has just started is slower than the deadline for Redis. */
    public static void warmUp(List<Replica> replicas) {
        Traffic traffic = new Traffic(replicas, List.of(TestKey.unlimited()));
        traffic.start();
        traffic.awaitRequests(500);
        traffic.stop();
    }

    /** Whether requests to the one and the other replica in turn count down together. */
    public static boolean isShared(List<Replica> replicas, TestKey key) {
        List<Integer> remaining = Stream.of(0, 1, 0, 1)
                .map(i -> replicas.get(i).get("/v1/pets?limit=1", key).join())
                .map(answer -> Integer.parseInt(
                        answer.headers().firstValue("X-RateLimit-Remaining").orElseThrow()))
                .toList();
        int first = remaining.get(0);
        return remaining.equals(List.of(first, first - 1, first - 2, first - 3));
    }

    /** Waits until they do, for some seconds at the most. */
    public static void awaitSharing(List<Replica> replicas, TestKey key) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> isShared(replicas, key));
    }

    /** A table for what became of traffic while Redis changed. */
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
        table.add(change, requests(), count(200), count(429), mostAdmitted(), slowestMillis(), sharedAgain);
    }

    public void start() {
        ticks = clock.scheduleAtFixedRate(this::send, 0, PERIOD_MICROS, TimeUnit.MICROSECONDS);
    }

    void send() {
        TestKey key = keys.get(turn % keys.size());
        Replica replica = replicas.get(turn / keys.size() % replicas.size());
        turn++;
        long begin = System.nanoTime();
        sent.add(replica.get("/v1/pets?limit=1", key)
                .thenAccept(answer -> answers.add(new Answer(key, answer.statusCode(), System.nanoTime() - begin))));
    }

    public void awaitRequests(int count) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> answers.size() >= count);
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

    public long requests() {
        return statuses().values().stream().mapToLong(count -> count).sum();
    }

    Map<Integer, Long> statuses() {
        sent.forEach(CompletableFuture::join);
        Map<Integer, Long> counts = new HashMap<>();
        answers.forEach(answer -> counts.merge(answer.status(), 1L, Long::sum));
        return counts;
    }

    public long count(int status) {
        return statuses().getOrDefault(status, 0L);
    }

    long admitted(TestKey key) {
        return answers.stream()
                .filter(answer -> answer.status() == 200 && answer.key().equals(key))
                .count();
    }

    /** The most that was admitted of any key. */
    long mostAdmitted() {
        return keys.stream().mapToLong(this::admitted).max().orElse(0);
    }

    public long slowestMillis() {
        return answers.stream().mapToLong(Answer::nanos).max().orElse(0) / 1_000_000;
    }

    /**
     * However Redis has changed: requests were admitted or refused, and of no key more than the limit, what each of two replicas may admit by
     * itself meanwhile, which is half of it, and what a dead master knew alone.
     */
    public void assertMetered(int perMinute) {
        assertEquals(requests(), count(200) + count(429), this::toString);
        assertTrue(mostAdmitted() <= 2 * perMinute + LOST_IN_REPLICATION, this::toString);
    }

    @Override
    public String toString() {
        return "statuses %s, slowest %d ms, admitted of each key %s"
                .formatted(
                        statuses(),
                        slowestMillis(),
                        keys.stream().map(this::admitted).toList());
    }

    private record Answer(TestKey key, int status, long nanos) {}
}
