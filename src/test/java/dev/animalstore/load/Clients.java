package dev.animalstore.load;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/**
 * Clients that each send one request after the other, over connections that are kept open for the next one until the server says that it
 * closes them. None tries again: what gets lost is counted.
 */
public final class Clients implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger closing = new AtomicInteger();
    private final Map<String, Integer> outcomes = new ConcurrentHashMap<>();
    private final HttpClient http;
    private final Supplier<Replica> replicas;
    private final TestKey key;
    private final Duration pause;
    private volatile boolean stopped;

    /** Starts as many; each asks anew where to send the next request, and waits a little between an answer and that. */
    public Clients(int count, Duration pause, Supplier<Replica> replicas, TestKey key) {
        this.pause = pause;
        this.replicas = replicas;
        this.key = key;
        http = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(count));
        busy.set(count);
        for (int i = 0; i < count; i++) {
            sendUntilStopped();
        }
    }

    /** How many requests were answered, in whatever way. */
    int responses() {
        return outcomes.values().stream().mapToInt(count -> count).sum();
    }

    /** How many answers announced that their connection is closed. */
    public int closing() {
        return closing.get();
    }

    /** Waits until some more requests were answered. */
    public void awaitMore(int requests) {
        int before = responses();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> responses() >= before + requests);
    }

    /** Lets every client stop after the answer that it waits for. */
    void stop() {
        stopped = true;
    }

    /** What came of all requests, by status or by failure, once none is under way. */
    public Map<String, Integer> outcomes() {
        stop();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> busy.get() == 0);
        return outcomes;
    }

    @Override
    public void close() {
        outcomes();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void sendUntilStopped() {
        if (stopped) {
            busy.decrementAndGet();
            return;
        }
        send(replicas.get()).onComplete(outcome -> {
            outcomes.merge(
                    outcome.succeeded() ? outcome.result() : outcome.cause().toString(), 1, Integer::sum);
            vertx.setTimer(pause.toMillis(), passed -> sendUntilStopped());
        });
    }

    private Future<String> send(Replica replica) {
        return http.request(new RequestOptions()
                        .setHost("127.0.0.1")
                        .setPort(replica.port())
                        .setURI("/v1/pets?limit=1")
                        .putHeader("Authorization", "Bearer " + key.text()))
                .compose(HttpClientRequest::send)
                .compose(response -> response.body().map(read -> outcome(response)));
    }

    private String outcome(HttpClientResponse response) {
        if ("close".equals(response.getHeader("Connection"))) {
            closing.incrementAndGet();
        }
        return Integer.toString(response.statusCode());
    }
}
