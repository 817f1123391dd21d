package dev.animalstore.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that stops responding, or has become a standby. */
@Independent
class RedisNodeTest {
    private static final RedisConfig SETTINGS = new SmallRyeConfigBuilder()
            .addDiscoveredConverters()
            .withMapping(RedisConfig.class)
            .withDefaultValue("animalstore.redis.namespace", "test")
            .build()
            .getConfigMapping(RedisConfig.class);

    private static final byte[] PONG = "+PONG\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] READ_ONLY =
            "-READONLY You can't write against a read only replica.\r\n".getBytes(StandardCharsets.US_ASCII);

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();

    @AutoClose
    private ServerSocket silent;

    private RedisNode node;
    private volatile boolean hung;
    private volatile boolean ended;

    @BeforeEach
    void start() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(this::accept);
        acceptor.setDaemon(true);
        acceptor.start();
        Context loop = vertx.getOrCreateContext();
        node = new RedisNode(
                "Redis",
                new RedisOptions().setConnectionString("redis://127.0.0.1:" + silent.getLocalPort()),
                SETTINGS,
                vertx,
                loop,
                new CommandTimeouts(vertx, loop, SETTINGS.timeout()),
                true,
                () -> {});
    }

    @Test
    void commands_beyondTheBound_failAtOnceAndTheOthersInTime() {
        connect();
        hung = true;
        List<Future<Response>> responses = IntStream.range(0, 10_001)
                .mapToObj(i -> node.send(() -> Request.cmd(Command.PING)))
                .toList();
        Awaitility.await().until(() -> responses.stream().allMatch(Future::isComplete));
        List<String> reasons = new ArrayList<>(responses.stream()
                .map(response -> response.cause().getMessage())
                .toList());
        assertEquals("Redis waiting queue is full", reasons.remove(10_000));
        // A busy machine sends them for longer than the connection may be silent.
        assertTrue(Set.of("no response within 40 ms", "CONNECTION_CLOSED").containsAll(reasons), reasons.get(0));
    }

    @Test
    void connection_silentForTwoSeconds_isReplaced() throws IOException {
        hung = true;
        Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
            node.probe("probe");
            return connections.size() > 1;
        });
        assertTrue(connections.peek().getInputStream().readAllBytes().length > 0);
        assertTrue(node.isInDoubt());
    }

    /** After a failover the address may lead to another server, while the connection still leads to the former primary. */
    @Test
    void connection_toAFormerPrimary_isReplaced() {
        connect();
        Awaitility.await().until(() -> {
            node.probe("probe");
            return ended;
        });
        assertTrue(node.isInDoubt());
        node.probe("probe");
        Awaitility.await().until(() -> connections.size() > 1);
    }

    private void connect() {
        Awaitility.await().until(() -> {
            Future<Response> first = node.send(() -> Request.cmd(Command.PING));
            Awaitility.await().until(first::isComplete);
            return first.succeeded();
        });
    }

    private void respond(Socket connection) {
        byte[] command = new byte[1024];
        try {
            int n = connection.getInputStream().read(command);
            while (n >= 0 && !hung) {
                for (String one : new String(command, 1, n - 1, StandardCharsets.US_ASCII).split("\\*", -1)) {
                    connection.getOutputStream().write(one.contains("hset") ? READ_ONLY : PONG);
                }
                n = connection.getInputStream().read(command);
            }
        } catch (IOException reset) {
            // As an end.
        }
        ended = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = silent.accept();
                connections.add(connection);
                if (!hung) {
                    respond(connection);
                }
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }
}
