package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;

/** A few clients that send one request after the other with one key, and what they were answered. */
public final class Load {
    private static final int CLIENTS = 8;

    private final Replica replica;
    private final TestKey key;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private volatile boolean stopped;

    public Load(Replica replica, TestKey key) {
        this.replica = replica;
        this.key = key;
    }

    public void start() {
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(CompletableFuture.runAsync(this::sendUntilStopped, runnable -> new Thread(runnable).start()));
        }
    }

    /** Lets the clients, which are started if they were not, send for some time, and tells what came of it so far. */
    public Result run(Duration time) {
        boolean mine = clients.isEmpty();
        if (mine) {
            start();
        }
        Instant end = Instant.now().plus(time);
        Awaitility.await().atMost(time.plusSeconds(5)).until(() -> Instant.now().isAfter(end));
        return mine ? stop() : Result.of(List.copyOf(answers));
    }

    public Result stop() {
        stopped = true;
        clients.forEach(CompletableFuture::join);
        return Result.of(List.copyOf(answers));
    }

    private void sendUntilStopped() {
        while (!stopped) {
            long begin = System.nanoTime();
            HttpResponse<String> response = replica.get("/v1/pets?limit=1", key).join();
            answers.add(new Answer(response.statusCode(), System.nanoTime() - begin, response.headers()));
        }
    }

    private record Answer(int status, long nanos, HttpHeaders headers) {
        boolean hasWrongHeaders() {
            long limit = number("X-RateLimit-Limit");
            long remaining = number("X-RateLimit-Remaining");
            return remaining < 0
                    || remaining >= limit
                    || number("X-RateLimit-Reset") < Instant.now().getEpochSecond() - 1
                    || headers.firstValue("RateLimit").isEmpty()
                    || (status == 429 && (remaining > 0 || number("Retry-After") < 1));
        }

        private long number(String name) {
            return headers.firstValueAsLong(name).orElse(-1);
        }
    }

    /** What a load came to. */
    public record Result(
            int requests,
            long admitted,
            long refused,
            long wrongHeaders,
            double medianMillis,
            double p99Millis,
            double slowestMillis) {
        private static Result of(List<Answer> answers) {
            long[] nanos = answers.stream().mapToLong(Answer::nanos).sorted().toArray();
            return new Result(
                    answers.size(),
                    answers.stream().filter(answer -> answer.status() == 200).count(),
                    answers.stream().filter(answer -> answer.status() == 429).count(),
                    answers.stream().filter(Answer::hasWrongHeaders).count(),
                    millis(nanos, 0.5),
                    millis(nanos, 0.99),
                    millis(nanos, 1));
        }

        public long others() {
            return requests - admitted - refused;
        }

        private static double millis(long[] sortedNanos, double quantile) {
            int index = (int) Math.ceil(quantile * sortedNanos.length) - 1;
            return sortedNanos[Math.max(0, index)] / 1e6;
        }
    }
}
