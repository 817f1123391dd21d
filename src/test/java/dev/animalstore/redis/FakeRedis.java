package dev.animalstore.redis;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server with one hash that executes {@code HGET} and {@code HSET} at once, and replies when a test lets it. */
public final class FakeRedis implements AutoCloseable {
    /** The interval of probes. */
    public static final Duration PROBED_EVERY = Duration.ofMillis(100);

    private static final String OK = "+OK\r\n";
    private static final String NOTHING = "$-1\r\n";

    /** With one event loop, on which replies are sent in the order of the commands. */
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

    private final Map<String, String> fields = new ConcurrentHashMap<>();
    private final Queue<NetSocket> connections = new ConcurrentLinkedQueue<>();
    private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
    private volatile boolean held;

    public Map<String, String> fields() {
        return fields;
    }

    /** A client that waits for a minute for a reply. */
    public RedisClient client(Ticker ticker) {
        NetServer server = vertx.createNetServer()
                .connectHandler(this::accept)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        RedisConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(RedisConfig.class)
                .withDefaultValue("animalstore.redis.namespace", "test")
                .withDefaultValue("animalstore.redis.timeout", "1m")
                .withDefaultValue("animalstore.redis.probe-every", PROBED_EVERY.toMillis() + "ms")
                .build()
                .getConfigMapping(RedisConfig.class);
        RedisClient.Settings settings = new RedisClient.Settings();
        settings.customize(
                "<default>", new RedisOptions().setConnectionString("redis://127.0.0.1:" + server.actualPort()));
        return new RedisClient(settings, null, vertx, ticker, config, true, new SimpleMeterRegistry());
    }

    /** Keeps the replies from now on. */
    public void hold() {
        held = true;
    }

    /** Whether a command, {@code HGET} or {@code HSET}, waits for its reply. */
    public boolean holds(String command) {
        return replies.stream().anyMatch(reply -> reply.command.equalsIgnoreCase(command));
    }

    /** Sends the oldest reply. */
    public void reply() {
        replies.remove().send();
    }

    /** Sends all replies from now on. */
    public void release() {
        vertx.runOnContext(here -> {
            held = false;
            flush();
        });
    }

    public void disconnect() {
        connections.forEach(NetSocket::close);
    }

    private void accept(NetSocket connection) {
        connections.add(connection);
        connection.handler(commands -> {
            for (String command : commands.toString().substring(1).split("\\*", -1)) {
                receive(connection, command.split("\r\n", -1));
            }
        });
    }

    /** @param lines the number of arguments, and for each of them its length and its text */
    private void receive(NetSocket connection, String... lines) {
        String name = lines[2];
        if (name.equalsIgnoreCase("HSET")) {
            fields.put(lines[6], lines[8]);
            replies.add(new Reply(name, connection, OK));
        } else if (name.equalsIgnoreCase("HGET")) {
            String found = fields.get(lines[6]);
            replies.add(new Reply(name, connection, found == null ? NOTHING : "+" + found + "\r\n"));
        } else {
            connection.write(OK);
        }
        if (!held) {
            flush();
        }
    }

    private void flush() {
        for (Reply next = replies.poll(); next != null; next = replies.poll()) {
            next.send();
        }
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private record Reply(String command, NetSocket connection, String text) {
        void send() {
            connection.write(text);
        }
    }
}
