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
 * Clients that each send requests in sequence, over connections that are kept open until the server announces that it closes them. None
 * retries: lost requests are counted.
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

    /** Starts clients; each one pauses after a response, and gets the replica for its next request from the supplier. */
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

    /** The number of requests that have ended, by a response or a failure. */
    int responses() {
        return outcomes.values().stream().mapToInt(count -> count).sum();
    }

    /** The number of responses that announced that their connection is closed. */
    public int closing() {
        return closing.get();
    }

    /** Waits until some more requests have ended. */
    public void awaitMore(int requests) {
        int before = responses();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> responses() >= before + requests);
    }

    /** Stops every client after the response that it waits for. */
    void stop() {
        stopped = true;
    }

    /** Stops the clients, and returns the number of requests by status or failure once none is in flight. */
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
