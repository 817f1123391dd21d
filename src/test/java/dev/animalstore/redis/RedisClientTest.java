package dev.animalstore.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.fixture.Independent;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that stops responding, responds late, or has become a standby. */
@Independent
class RedisClientTest {
    private static final RedisConfig SETTINGS = new SmallRyeConfigBuilder()
            .addDiscoveredConverters()
            .withMapping(RedisConfig.class)
            .withDefaultValue("animalstore.redis.namespace", "test")
            .withDefaultValue("animalstore.redis.probe-every", "50ms")
            .build()
            .getConfigMapping(RedisConfig.class);

    private static final String PONG = "+PONG\r\n";
    private static final String READ_ONLY = "-READONLY You can't write against a read only replica.\r\n";

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    private final Queue<NetSocket> connections = new ConcurrentLinkedQueue<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger incremented = new AtomicInteger();

    private RedisClient client;
    private volatile boolean hung;
    private volatile boolean readOnly;

    @BeforeEach
    void start() {
        Future<NetServer> server =
                vertx.createNetServer().connectHandler(this::accept).listen(0, "127.0.0.1");
        int port = server.toCompletionStage().toCompletableFuture().join().actualPort();
        RedisClient.Settings settings = new RedisClient.Settings();
        settings.customize("<default>", new RedisOptions().setConnectionString("redis://127.0.0.1:" + port));
        client = new RedisClient(
                settings, null, vertx, Ticker.systemTicker(), SETTINGS, true, new SimpleMeterRegistry());
    }

    @Test
    void commands_beyondTheBound_failAtOnceAndTheOthersInTime() {
        connect();
        hung = true;
        List<Future<Response>> responses =
                IntStream.range(0, 10_001).mapToObj(i -> ping()).toList();
        Awaitility.await().until(() -> responses.stream().allMatch(Future::isComplete));
        List<String> reasons = responses.stream()
                .map(response -> response.cause().getMessage())
                .toList();
        assertEquals("more than 10000 commands wait", reasons.get(10_000));
        assertEquals(Set.of("no response within 40 ms"), Set.copyOf(reasons.subList(0, 10_000)));
    }

    @Test
    void commands_afterAListenerHasThrown_stillFailInTime() {
        connect();
        hung = true;
        ping().onFailure(late -> {
            throw new IllegalStateException("on purpose");
        });
        Future<Response> second = ping();
        Awaitility.await().until(second::isComplete);
        Future<Response> third = ping();
        Awaitility.await().until(third::isComplete);
        assertEquals("no response within 40 ms", third.cause().getMessage());
    }

    @Test
    void commands_whileRedisIsKnownToFail_failAtOnceWithoutAStackTraceAndAreNotSent() {
        IntStream.range(0, SETTINGS.failures()).forEach(i -> client.recordOutcome(new IllegalStateException("gone")));

        Throwable cause = ping().cause();
        assertEquals("Redis is unavailable", cause.getMessage());
        assertEquals(0, cause.getStackTrace().length);
        assertTrue(connections.isEmpty());
    }

    @Test
    void breaker_thatOpens_isClosedByAProbeAtOnce() {
        AtomicInteger probes = new AtomicInteger();
        client.probeAvailability(key -> {
            probes.incrementAndGet();
            return client.sendAnyway(Request.cmd(Command.PING));
        });
        Awaitility.await().until(() -> probes.get() > 0 && !connections.isEmpty());
        client.stopProbing(null);
        IntStream.range(0, SETTINGS.failures()).forEach(i -> client.recordOutcome(new IllegalStateException("pause")));

        Awaitility.await().until(() -> !client.isFailing());
    }

    /** It has been decided elsewhere what happens to their requests, which would be counted twice. */
    @Test
    void commands_whoseTimeIsOverBeforeThereIsAConnection_areNotSent() {
        hung = true;
        Future<Response> late = client.send(Request.cmd(Command.INCR).arg("x"));
        Awaitility.await().until(late::isComplete);
        hung = false;
        connections.forEach(NetSocket::resume);

        connect();
        assertEquals(0, incremented.get());
    }

    @Test
    void connection_silentForTwoSeconds_isReplaced() {
        hung = true;
        client.probeAvailability(key -> client.sendAnyway(Request.cmd(Command.PING)));
        Awaitility.await().until(() -> connections.size() > 1);
        connections.peek().resume();
        Awaitility.await().until(() -> closed.get() > 0);
        assertTrue(client.isFailing());
    }

    /** After a failover the address may lead to another server, while the connection still leads to the former primary. */
    @Test
    void connection_toAFormerPrimary_isReplaced() {
        connect();
        readOnly = true;
        AtomicInteger returned = new AtomicInteger();
        client.onReturn(returned::incrementAndGet);
        client.probeAvailability(
                key -> client.sendAnyway(Request.cmd(Command.INCR).arg(key)));
        Awaitility.await().until(() -> connections.size() > 1);
        assertEquals(0, returned.get());
        readOnly = false;
        Awaitility.await().until(() -> returned.get() == 1 && !client.isFailing());
    }

    private Future<Response> ping() {
        return client.send(Request.cmd(Command.PING));
    }

    private void connect() {
        Awaitility.await().until(() -> {
            Future<Response> first = ping();
            Awaitility.await().until(first::isComplete);
            return first.succeeded();
        });
    }

    private void accept(NetSocket connection) {
        connections.add(connection);
        connection.handler(commands -> respond(connection, commands.toString()));
        connection.closeHandler(ended -> closed.incrementAndGet());
        if (hung) {
            connection.pause();
        }
    }

    private void respond(NetSocket connection, String commands) {
        for (String one : hung ? new String[0] : commands.substring(1).split("\\*", -1)) {
            boolean write = one.contains("incr");
            incremented.addAndGet(write ? 1 : 0);
            connection.write(write && readOnly ? READ_ONLY : PONG);
        }
    }
}
