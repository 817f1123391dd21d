package dev.animalstore.process;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.animalstore.fixture.Management;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Patience;
import dev.animalstore.fixture.TestKey;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A process of the packaged application, native or not, on the tests' PostgreSQL and Redis; several share their quotas. */
public final class Replica implements AutoCloseable {
    /**
     * Room for scheduling beyond a time that the service promises, on a slow machine. Tests that add it have the tag {@code timed}: other waits are as
     * long as {@link Patience} says.
     */
    public static final Duration ROOM = Duration.ofSeconds(5);

    public static final String PET = "{\"name\":\"Rex\",\"categoryId\":1}";

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final Map<Map<String, String>, Replica> SHARED = new HashMap<>();

    private final Process process;
    private final int port;
    private final int managementPort = Settings.freePort();
    private final Path output;

    private Replica(ProcessBuilder builder, int port) throws IOException {
        this.port = port;
        Path folder = Files.createDirectories(Path.of("target", "replicas"));
        output = folder.resolve("replica-" + port + ".log");
        builder.redirectOutput(output.toFile()).redirectError(new File(output + ".err"));
        builder.environment().put("QUARKUS_MANAGEMENT_HOST", "127.0.0.1");
        builder.environment().put("QUARKUS_MANAGEMENT_PORT", Integer.toString(managementPort));
        process = builder.start();
    }

    /**
     * Starts a replica with the tests' servers, unless the properties name others, and returns once it is ready. It waits longer for its
     * servers than in production. Names in capitals are environment variables; the options are those of {@link Artifact#process}.
     */
    public static Replica start(Map<String, String> properties, String... options) throws IOException {
        return start(properties, process -> {}, options);
    }

    /** As above, by a command or with an environment that are changed before. */
    public static Replica start(Map<String, String> properties, Consumer<ProcessBuilder> change, String... options)
            throws IOException {
        int port = Settings.freePort();
        Artifact artifact = Artifact.read();
        artifact.train();
        ProcessBuilder process = artifact.process(Settings.with(properties, port), options);
        change.accept(process);
        return start(process, port);
    }

    /** As above, with the timeouts of production, for tests of servers that fail. */
    public static Replica startWithTimeouts(Map<String, String> properties) throws IOException {
        return start(Settings.withTimeouts(properties));
    }

    /** Starts a process that will listen on a port, and on any other one for health and metrics, and returns once it is ready. */
    public static Replica start(ProcessBuilder process, int port) throws IOException {
        Replica replica = new Replica(process, port);
        Awaitility.await().ignoreExceptions().until(() -> replica.status("/q/health/ready") == 200);
        return replica;
    }

    /**
     * A replica with these properties, for tests that change nothing in it: started by the first of them, and killed when the JVM of the tests
     * ends.
     */
    public static synchronized Replica shared(Map<String, String> properties) {
        return SHARED.computeIfAbsent(properties, settings -> {
            try {
                Replica replica = start(settings);
                Runtime.getRuntime().addShutdownHook(new Thread(replica.process::destroyForcibly));
                return replica;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Two such replicas of the same settings. */
    public static List<Replica> pair() {
        return List.of(shared(Map.of()), shared(Map.of("animalstore.replicas", "1")));
    }

    /** Such a replica behind one proxy, which admits 300 failed authentications of an address per day. Its token is another. */
    public static Replica behindProxy() {
        return shared(Map.ofEntries(
                Map.entry("animalstore.proxies", "1"),
                Map.entry("animalstore.failed-authentication.per-day", "300"),
                Map.entry("animalstore.admin.token", Operator.ANOTHER_TOKEN),
                Map.entry("animalstore.admin.tokens." + Operator.BILLING, Operator.BILLING_TOKEN)));
    }

    public RequestSpecification given() {
        return RestAssured.given().baseUri("http://127.0.0.1").port(port);
    }

    public RequestSpecification given(TestKey key) {
        return given().header("Authorization", "Bearer " + key.text());
    }

    /** Sends a request without waiting for its response. */
    public CompletableFuture<HttpResponse<String>> get(String path, TestKey key) {
        return get(path, "Authorization", "Bearer " + key.text());
    }

    /** Sends a request with headers, given as alternate names and values, without waiting for its response. */
    public CompletableFuture<HttpResponse<String>> get(String path, String... headers) {
        return send(request(path, headers));
    }

    /** Sends JSON without waiting for the response; headers are given as alternate names and values. */
    public CompletableFuture<HttpResponse<String>> post(String path, TestKey key, String body, String... headers) {
        return send(request(path, headers)
                .headers("Authorization", "Bearer " + key.text(), "Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    /** Sends any request without waiting for the response. */
    public CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return CLIENT.sendAsync(request.timeout(Patience.LIMIT).build(), BodyHandlers.ofString());
    }

    /** The address of a path; health and metrics are on the management port. */
    public URI uri(String path) {
        boolean managed = path.startsWith("/q/health") || path.startsWith("/q/metrics");
        return URI.create("http://127.0.0.1:" + (managed ? managementPort : port) + path);
    }

    public String body(String path) {
        return get(path).join().body();
    }

    /** The current value of a metric, for example of {@code animalstore_keys_queries_total}, or of one of its series, with its labels. */
    public double metric(String name) {
        return Management.value(name, body("/q/metrics"));
    }

    public int status(String path) {
        return get(path).join().statusCode();
    }

    public int status(String path, TestKey key) {
        return get(path, key).join().statusCode();
    }

    /** The status of the response to a list of pets. */
    public int status(TestKey key) {
        return list(key).join().statusCode();
    }

    /** Requests a list of pets without waiting for it. */
    public CompletableFuture<HttpResponse<String>> list(TestKey key) {
        return get("/v1/pets?limit=1", key);
    }

    /** Whether quotas are shared, as readiness says. */
    public boolean isShared() {
        return body("/q/health/ready").contains("\"redis\": \"shared");
    }

    /** Whether the replica does without Redis, as readiness says. */
    public boolean isDegraded() {
        return body("/q/health/ready").contains("\"redis\": \"degraded");
    }

    /** Sends a request as an operator to a replica with {@link Operator#TOKEN}, and waits for the response. */
    public HttpResponse<String> operate(String method, String path, String body) {
        return send(request(path, "Authorization", "Bearer " + Operator.TOKEN, "Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body)))
                .join();
    }

    /** Issues a key as the body says, if the database is not the one that {@link TestKey} writes to. */
    public TestKey issue(String body) {
        JsonPath issued = JsonPath.from(operate("POST", "/admin/keys", body).body());
        return new TestKey(issued.getLong("id"), issued.getString("key"));
    }

    public int port() {
        return port;
    }

    /** All that the process has written so far: standard output, then standard error. */
    public String log() throws IOException {
        return Files.readString(output) + Files.readString(Path.of(output + ".err"));
    }

    /** The standard output so far, which in production is one JSON document per line. */
    public List<JsonNode> events() throws IOException {
        String written = Files.readString(output);
        List<JsonNode> events = new ArrayList<>();
        for (String line :
                written.substring(0, written.lastIndexOf('\n') + 1).lines().toList()) {
            events.add(STRICT.readTree(line));
        }
        return events;
    }

    public List<String> messages(String text) throws IOException {
        return events().stream()
                .map(event -> event.path("message").asText())
                .filter(message -> message.contains(text))
                .toList();
    }

    /** The lines of the audit that have a text, each with its members in a fixed order. */
    public List<String> audits(String text) throws IOException {
        return events().stream()
                .filter(event -> event.path("message").asText().equals("audit"))
                .map(event -> Stream.of("action", "key", "owner", "outcome", "operator", "address")
                        .map(member -> member + "=" + event.at("/mdc/" + member).asText("absent"))
                        .collect(Collectors.joining(" ")))
                .filter(line -> line.contains(text))
                .toList();
    }

    /** Tells the process to end, as Kubernetes does. */
    public void terminate() {
        process.destroy();
    }

    public int awaitEnd(Duration time) {
        return process.onExit().orTimeout(time.toSeconds(), SECONDS).join().exitValue();
    }

    /** Tells the process to end if it still runs, and waits for its end. */
    @Override
    public void close() {
        terminate();
        process.onExit()
                .completeOnTimeout(process, Patience.LIMIT.toSeconds(), SECONDS)
                .join();
        process.destroyForcibly();
    }

    /** Sends a signal: {@code STOP} suspends the process, while its connections stay open, until {@code CONT} lets it go on. */
    public void signal(String name) throws IOException {
        Signals.send(name, process.toHandle());
    }

    public void kill() {
        process.destroyForcibly().onExit().join();
    }
}
