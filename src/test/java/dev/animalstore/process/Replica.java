package dev.animalstore.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.LocalPostgres;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A process of the packaged application, native or not, on the tests' PostgreSQL and Redis; several share their quotas. */
public final class Replica implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Process process;
    private final int port;
    private final ReplicaLog log;

    private Replica(Process process, int port, ReplicaLog log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Starts a replica with the tests' servers, unless the properties name others, and returns once it is ready. */
    public static Replica start(Map<String, String> properties) throws IOException {
        return start(properties, Map.of(), List.of());
    }

    /** As above, with environment variables that are no properties. */
    public static Replica start(Map<String, String> properties, Map<String, String> environment) throws IOException {
        return start(properties, environment, List.of());
    }

    /** As above, with options that both a JVM and a native executable accept, such as {@code -Xmx307m}. */
    public static Replica start(Map<String, String> properties, List<String> options) throws IOException {
        return start(properties, Map.of(), options);
    }

    private static Replica start(Map<String, String> properties, Map<String, String> environment, List<String> options)
            throws IOException {
        int port = freePort();
        Map<String, String> all = new TreeMap<>(Map.of(
                "quarkus.http.host",
                "127.0.0.1",
                "quarkus.http.port",
                Integer.toString(port),
                "quarkus.datasource.jdbc.url",
                TestServers.jdbcUrl(),
                "quarkus.datasource.username",
                LocalPostgres.USER,
                "quarkus.redis.hosts",
                TestServers.redis(),
                "animalstore.keys.environment",
                "test",
                // Clients need not be told that a replica ends, except in tests of the shutdown.
                "quarkus.shutdown.delay",
                "0s"));
        all.putAll(properties);
        ProcessBuilder process = Artifact.read().process(all, options);
        process.environment().putAll(environment);
        return start(process, port);
    }

    /** Starts a process that will listen on a port, and returns once it is ready. */
    public static Replica start(ProcessBuilder process, int port) throws IOException {
        ReplicaLog log = ReplicaLog.in(Files.createDirectories(Path.of("target", "replicas")), "replica-" + port);
        process.redirectOutput(log.output().toFile()).redirectError(log.errors().toFile());
        Replica replica = new Replica(process.start(), port, log);
        Awaitility.await()
                .atMost(START_TIMEOUT)
                .ignoreExceptions()
                .until(() -> replica.status("/q/health/ready") == 200);
        return replica;
    }

    /** Sends a request without waiting for its response. */
    public CompletableFuture<HttpResponse<String>> get(String path, TestKey key) {
        return get(path, "Authorization", "Bearer " + key.text());
    }

    /** Sends a request with headers, given as alternate names and values, without waiting for its response. */
    public CompletableFuture<HttpResponse<String>> get(String path, String... headers) {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .timeout(RESPONSE_TIMEOUT)
                .headers(headers)
                .build();
        return CLIENT.sendAsync(request, BodyHandlers.ofString());
    }

    /** Sends JSON without waiting for the response; headers are given as alternate names and values. */
    public CompletableFuture<HttpResponse<String>> post(String path, TestKey key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .timeout(RESPONSE_TIMEOUT)
                .header("Authorization", "Bearer " + key.text())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    }

    /** The address of a path. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** The body of the response to a request without a key. */
    public String body(String path) throws IOException, InterruptedException {
        return CLIENT.send(
                        HttpRequest.newBuilder(uri(path))
                                .timeout(RESPONSE_TIMEOUT)
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** The current value of a metric, for example of {@code animalstore_keys_queries_total}. */
    public double metric(String name) throws IOException, InterruptedException {
        return body("/q/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    /** The status of the response to a request without a key. */
    public int status(String path) throws IOException, InterruptedException {
        return CLIENT.send(
                        HttpRequest.newBuilder(uri(path))
                                .timeout(RESPONSE_TIMEOUT)
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    /** Sends a request as an operator to a replica with {@link Operator#TOKEN}, and waits for the response. */
    public HttpResponse<String> operate(String method, String path, String body)
            throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path))
                .header("Authorization", "Bearer " + Operator.TOKEN)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body)));
    }

    /** Issues a key as the body says, if the database is not the one that {@link TestKey} writes to. */
    public TestKey issue(String body) throws IOException, InterruptedException {
        JsonPath issued = JsonPath.from(operate("POST", "/admin/keys", body).body());
        return new TestKey(issued.getLong("id"), issued.getString("key"));
    }

    /** Sends any request and waits for the response. */
    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Collects garbage, and returns the heap in use. For a JVM only. */
    public long liveHeapBytes() throws IOException, InterruptedException {
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "GC.class_histogram")
                .start();
        String total = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("Total"))
                .findFirst()
                .orElseThrow();
        histogram.waitFor();
        return Long.parseLong(total.replaceFirst("Total +[0-9]+ +([0-9]+).*", "$1"));
    }

    /** All that the process has written so far. */
    public ReplicaLog log() {
        return log;
    }

    /** Tells the process to end, as Kubernetes does. */
    public void terminate() {
        process.destroy();
    }

    /** Waits until the process has ended, and returns its status. */
    public int awaitEnd(Duration time) throws InterruptedException {
        assertTrue(process.waitFor(time.toSeconds(), TimeUnit.SECONDS), "The process ends within " + time + ".");
        return process.exitValue();
    }

    /** Tells the process to end if it still runs, and waits for its end. */
    @Override
    public void close() {
        terminate();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the process, and waits for its end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** A port without a listener. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
