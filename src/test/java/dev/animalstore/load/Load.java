package dev.animalstore.load;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Patience;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts.Attempt;
import dev.animalstore.process.Replica;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.awaitility.Awaitility;

/**
 * Clients that each send one request after another, and wait for each response, until they are stopped. They keep their connections until
 * the server announces that it closes them. Nothing is sent again unasked, as the JDK's client does; a client without a response ends.
 */
public final class Load implements AutoCloseable {
    private static final int CLIENTS = 8;
    private static final HttpClientOptions KEPT = new HttpClientOptions();
    private static final Vertx VERTX = Vertx.vertx(new VertxOptions().setUseDaemonThread(true));

    private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger busy;
    private final HttpClient http;
    private final IntUnaryOperator ports;
    private final List<TestKey> keys;
    private final Kind kind;
    private final long pauseMillis;
    private volatile boolean stopped;

    private Load(
            Kind kind,
            HttpClientOptions options,
            int clients,
            Duration pause,
            IntUnaryOperator ports,
            List<TestKey> keys) {
        this.kind = kind;
        this.ports = ports;
        this.keys = keys;
        pauseMillis = pause.toMillis();
        http = VERTX.createHttpClient(options, new PoolOptions().setHttp1MaxSize(clients));
        busy = new AtomicInteger(clients);
        for (int client = 0; client < clients; client++) {
            sendNext(client, "");
        }
    }

    /** Starts eight clients that list pets, evenly spread over the replicas. */
    public static Load lists(List<Replica> replicas, TestKey key) {
        return lists(CLIENTS, Duration.ZERO, client -> replicas.get(client % replicas.size()), List.of(key));
    }

    /** Starts clients that list pets with the keys in turn; each pauses after a response. The replica is given by the client's number. */
    public static Load lists(int clients, Duration pause, IntFunction<Replica> replicas, List<TestKey> keys) {
        return new Load(
                Kind.LIST,
                KEPT,
                clients,
                pause,
                client -> replicas.apply(client).port(),
                keys);
    }

    /** Starts clients that list pets through a proxy. */
    public static Load lists(int clients, Duration pause, int proxy, TestKey key) {
        return new Load(Kind.LIST, KEPT, clients, pause, client -> proxy, List.of(key));
    }

    /** Starts two clients without a valid key, for whom a replica asks no server: their times show how busy the machine is. */
    public static Load unauthenticated(Replica replica) {
        return lists(2, Duration.ofMillis(5), client -> replica, List.of(new TestKey(0, "malformed")));
    }

    /** Starts clients that add pets: each until it is added, with an idempotency key, or once without. */
    public static Load additions(int clients, boolean retrying, Replica replica, TestKey key) {
        return new Load(
                retrying ? Kind.ADD_SAFELY : Kind.ADD_ONCE,
                KEPT,
                clients,
                Duration.ZERO,
                client -> replica.port(),
                List.of(key));
    }

    /** Starts clients that add pets through a proxy, each over a new connection, since nginx closes those that are kept when it reloads. */
    public static Load additions(int clients, Duration pause, int proxy, TestKey key) {
        HttpClientOptions options = new HttpClientOptions().setKeepAlive(false);
        return new Load(Kind.ADD_ONCE, options, clients, pause, client -> proxy, List.of(key));
    }

    /** The requests that have ended so far. */
    public Attempts attempts() {
        return new Attempts(List.copyOf(attempts));
    }

    public void awaitMore(int requests) {
        int goal = attempts.size() + requests;
        Awaitility.await().until(() -> attempts.size() >= goal);
    }

    /** Returns after some time, in which the clients keep sending. */
    public void continueFor(Duration time) {
        new CompletableFuture<Void>()
                .completeOnTimeout(null, time.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        assertTrue(busy.get() > 0, () -> "Every client has ended early: " + attempts());
    }

    public Attempts stopAfter(Duration time) {
        continueFor(time);
        return stop();
    }

    /** Stops the clients, each after the response that it waits for. */
    public Attempts stop() {
        stopped = true;
        Awaitility.await().until(() -> busy.get() == 0);
        http.close();
        return attempts();
    }

    @Override
    public void close() {
        stop();
    }

    /** @param failed the name of the pet that is to be sent again, or empty */
    private void sendNext(int client, String failed) {
        if (stopped) {
            busy.decrementAndGet();
            return;
        }
        String name = kind == Kind.LIST || !failed.isEmpty()
                ? failed
                : UUID.randomUUID().toString();
        TestKey key = keys.get(turn.getAndIncrement() % keys.size());
        send(ports.applyAsInt(client), key, name).onSuccess(attempt -> {
            attempts.add(attempt);
            String again = kind == Kind.ADD_SAFELY && !attempt.isAdded() ? name : "";
            if (attempt.status() == 0) {
                busy.decrementAndGet();
            } else if (pauseMillis > 0) {
                VERTX.setTimer(pauseMillis, passed -> sendNext(client, again));
            } else {
                sendNext(client, again);
            }
        });
    }

    private Future<Attempt> send(int port, TestKey key, String name) {
        long begin = System.nanoTime();
        return http.request(request(port, key, name))
                .compose(request -> name.isEmpty() ? request.send() : request.send(Replica.PET.replace("Rex", name)))
                .compose(response -> response.body()
                        .map(body -> new Attempt(
                                key, name, begin, response.statusCode(), response.headers(), body.toString())))
                .otherwise(failure ->
                        new Attempt(key, name, begin, 0, MultiMap.caseInsensitiveMultiMap(), failure.toString()));
    }

    private RequestOptions request(int port, TestKey key, String name) {
        RequestOptions request = new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setTimeout(Patience.LIMIT.toMillis())
                .putHeader("Authorization", "Bearer " + key.text());
        if (name.isEmpty()) {
            return request.setURI("/v1/pets?limit=1");
        }
        if (kind == Kind.ADD_SAFELY) {
            request.putHeader("Idempotency-Key", name);
        }
        return request.setMethod(HttpMethod.POST).setURI("/v1/pets").putHeader("Content-Type", "application/json");
    }

    private enum Kind {
        LIST,
        ADD_ONCE,
        ADD_SAFELY
    }
}
