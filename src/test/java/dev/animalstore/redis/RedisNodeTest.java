package dev.animalstore.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that accepts connections and never responds, or has become a standby. */
class RedisNodeTest {
    private static final RedisConfig SETTINGS = new SmallRyeConfigBuilder()
            .addDiscoveredConverters()
            .withMapping(RedisConfig.class)
            .withDefaultValue("animalstore.redis.namespace", "test")
            .build()
            .getConfigMapping(RedisConfig.class);

    private final Vertx vertx = Vertx.vertx();
    private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
    private ServerSocket silent;
    private RedisNode node;
    private volatile boolean demoted;
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
                () -> {});
    }

    @AfterEach
    void stop() throws IOException {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        silent.close();
    }

    @Test
    void commands_beyondTheBound_failAtOnceAndTheOthersInTime() {
        List<Future<Response>> responses = IntStream.range(0, 10_001)
                .mapToObj(i -> node.send(() -> Request.cmd(Command.PING)))
                .toList();
        Awaitility.await().until(() -> responses.stream().allMatch(Future::isComplete));
        List<String> reasons = new ArrayList<>(responses.stream()
                .map(response -> response.cause().getMessage())
                .toList());
        assertEquals("too many commands wait for Redis", reasons.remove(10_000));
        assertTrue(reasons.stream().allMatch(reason -> reason.contains("within 40 ms")), reasons.get(0));
    }

    @Test
    void connection_silentForSomeProbes_isReplaced() {
        Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
            node.probe("probe");
            return connections.size() > 1;
        });
        Awaitility.await().until(() -> connections.peek().getInputStream().readAllBytes().length > 0);
        assertTrue(node.isInDoubt());
    }

    /** After a failover the address may lead to another server, while the connection still leads to the former primary. */
    @Test
    void connection_toAFormerPrimary_isReplacedAtTheFirstProbe() {
        demoted = true;
        node.probe("probe");
        Awaitility.await().until(() -> ended);
        assertTrue(node.isInDoubt());
        assertEquals(1, connections.size());
        var unused = node.send(() -> Request.cmd(Command.PING));
        Awaitility.await().until(() -> connections.size() == 2);
    }

    private void refuse(Socket connection) {
        byte[] command = new byte[1024];
        try {
            for (int n = connection.getInputStream().read(command); n >= 0; ) {
                boolean write = new String(command, 0, n, StandardCharsets.US_ASCII).contains("HSET");
                String error = write ? "READONLY You can't write against a read only replica." : "ERR unknown command";
                connection.getOutputStream().write(("-" + error + "\r\n").getBytes(StandardCharsets.US_ASCII));
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
                if (demoted) {
                    refuse(connection);
                }
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }
}
