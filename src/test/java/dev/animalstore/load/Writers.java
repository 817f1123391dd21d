package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** Clients that add pets of unique names one after the other, with an idempotency key and again until each is added, or else only once. */
public final class Writers {
    private final Replica replica;
    private final TestKey key;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private final boolean retrying;
    private volatile boolean stopped;

    private Writers(Replica replica, TestKey key, boolean retrying) {
        this.replica = replica;
        this.key = key;
        this.retrying = retrying;
    }

    public static Writers start(Replica replica, TestKey key, int clients) {
        return start(new Writers(replica, key, true), clients);
    }

    /** Starts clients that send each pet only once, without an idempotency key. */
    public static Writers startWithoutRetries(Replica replica, TestKey key, int clients) {
        return start(new Writers(replica, key, false), clients);
    }

    private static Writers start(Writers writers, int clients) {
        for (int i = 0; i < clients; i++) {
            writers.clients.add(CompletableFuture.runAsync(writers::addUntilStopped, run -> new Thread(run).start()));
        }
        return writers;
    }

    /** Ends the clients, each after the answer that it waits for. */
    public List<Answer> stop() {
        stopped = true;
        clients.forEach(CompletableFuture::join);
        return List.copyOf(answers);
    }

    /** Whether a pet was added by a request that was sent after a time of {@link System#nanoTime()}. */
    public boolean hasAddedSince(long nanos) {
        return answers.stream().anyMatch(answer -> answer.isAdded() && answer.begin() - nanos > 0);
    }

    private void addUntilStopped() {
        while (!stopped) {
            String name = UUID.randomUUID().toString();
            Answer answer;
            do {
                answer = add(name);
                answers.add(answer);
            } while (retrying && !answer.isAdded() && !stopped);
        }
    }

    private Answer add(String name) {
        String body = "{\"name\":\"" + name + "\",\"categoryId\":1}";
        String[] headers = retrying ? new String[] {"Idempotency-Key", name} : new String[0];
        long begin = System.nanoTime();
        try {
            HttpResponse<String> response =
                    replica.post("/v1/pets", key, body, headers).join();
            return new Answer(name, begin, System.nanoTime(), response.statusCode(), response);
        } catch (CompletionException noAnswer) {
            return new Answer(name, begin, System.nanoTime(), 0, null);
        }
    }

    /**
     * What one request came to.
     *
     * @param name of the pet
     * @param begin when it was sent, as {@link System#nanoTime()} has it
     * @param end when it was answered
     * @param status 0 where it was not answered
     * @param response the answer; {@code null} where there is none
     */
    public record Answer(String name, long begin, long end, int status, HttpResponse<String> response) {
        public boolean isAdded() {
            return status == 201;
        }

        /** A 503 in the contract's form, with the time to come back. */
        public boolean isUnavailable() {
            return status == 503
                    && response.body().startsWith("{\"code\":\"service_unavailable\",")
                    && response.headers().firstValueAsLong("Retry-After").orElse(0) >= 1
                    && response.headers().firstValue("X-RateLimit-Remaining").isPresent();
        }

        public double millis() {
            return (end - begin) / 1e6;
        }

        public static double slowestMillis(List<Answer> answers, Predicate<Answer> of) {
            return answers.stream().filter(of).mapToDouble(Answer::millis).max().orElse(0);
        }
    }
}
