package dev.animalstore;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;

/** What Redis holds of a key, as tests look at it and change it. */
public final class RedisState {
    private static final Pattern COMMAND = Pattern.compile("^[0-9.]+ \\[0 [0-9.:]+] \"([A-Za-z]+)\"(.*)");

    private RedisState() {}

    /**
     * Lets time pass for a key: its windows end that much earlier. Since {@code quota.lua} only ever compares them with the time, this is
     * the same as a clock that was moved on.
     */
    public static void age(TestKey key, long millis) {
        try (Jedis redis = connect()) {
            redis.hincrBy(hash(key), "me", -millis);
        }
    }

    /** The fields of a key's hash. */
    public static Map<String, String> read(TestKey key) {
        try (Jedis redis = connect()) {
            return redis.hgetAll(hash(key));
        }
    }

    /** The commands that Redis was sent while an action ran, without the service's probes, and without what scripts run. */
    public static List<String> commands(Runnable action) {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (Jedis monitor = connect();
                Jedis marker = connect()) {
            CompletableFuture<Void> monitoring = CompletableFuture.runAsync(
                    () -> monitor.monitor(new Monitor(seen)), run -> new Thread(run).start());
            Awaitility.await().until(() -> {
                marker.echo("begin");
                return seen.stream().anyMatch(line -> line.contains("\"begin\""));
            });
            action.run();
            marker.echo("end");
            Awaitility.await().until(() -> seen.stream().anyMatch(line -> line.contains("\"end\"")));
            monitor.disconnect();
            monitoring.exceptionally(disconnected -> null).join();
        }
        return seen.stream()
                .map(COMMAND::matcher)
                .filter(Matcher::find)
                .filter(command -> !command.group(2).contains("animalstore:probe"))
                .map(command -> command.group(1).toLowerCase(Locale.ROOT))
                .filter(command -> !command.equals("echo"))
                .toList();
    }

    /** Redis answers nothing for a time. */
    public static void hang(Duration time) {
        try (Jedis redis = connect()) {
            redis.sendCommand(
                    () -> "CLIENT".getBytes(StandardCharsets.US_ASCII), "PAUSE", Long.toString(time.toMillis()));
        }
    }

    /** Redis has lost the catalogue's version. */
    public static void forgetCatalogue() {
        try (Jedis redis = connect()) {
            redis.del("animalstore:catalogue");
        }
    }

    /** The catalogue's version. */
    public static String catalogue() {
        try (Jedis redis = connect()) {
            return redis.hget("animalstore:catalogue", "v");
        }
    }

    /** Replaces the catalogue's version, as others can do after they have written to the table of pets past the service. */
    public static void changeCatalogue() {
        try (Jedis redis = connect()) {
            redis.hset("animalstore:catalogue", "v", UUID.randomUUID().toString());
        }
    }

    private static Jedis connect() {
        return new Jedis(URI.create(TestServers.redis()));
    }

    static String hash(TestKey key) {
        return "animalstore:{" + key.id() + "}";
    }

    private static final class Monitor extends JedisMonitor {
        private final Queue<String> seen;

        Monitor(Queue<String> seen) {
            this.seen = seen;
        }

        @Override
        public void onCommand(String command) {
            seen.add(command);
        }
    }
}
