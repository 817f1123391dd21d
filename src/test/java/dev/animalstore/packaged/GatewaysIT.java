package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.GatewayProcess;
import dev.animalstore.process.GatewayProcess.Kind;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate for services in other languages: by itself, and asked by proxies as docs/gateways.md says. */
class GatewaysIT {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static final String[] PREFLIGHT = {"Origin", "https://app.example", "Access-Control-Request-Method", "GET"};
    private static final String[] FORGED = {
        "X-Key-Id",
        "999",
        "X_Key_Id",
        "999",
        "X.Key.Id",
        "999",
        "x-key_id",
        "999",
        "X-Key-Plan",
        "forged",
        "X_Key_Plan",
        "forged",
        "X-Forwarded-For",
        "192.0.2.7"
    };

    private final Replica replica = Replica.shared(Map.of(
            "animalstore.gate.authorize", "true",
            "animalstore.proxies", "1",
            "animalstore.cors.origins", "*",
            "quarkus.http.cors.enabled", "true",
            "quarkus.http.cors.origins", "https://app.example"));

    private final AtomicInteger reached = new AtomicInteger();
    private final AtomicReference<Headers> received = new AtomicReference<>();

    @AutoClose
    private final Service service = new Service(startService());

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
    void request_ofAnyMethodWithAKey_is200WithoutABody(String method) throws Exception {
        TestKey key = TestKey.of("free");

        HttpResponse<String> response = send(method, replica.uri("/v1/authorize"), key);

        assertEquals(200, response.statusCode());
        assertEquals("", response.body());
        assertEquals(Long.toString(key.id()), header(response, "X-Key-Id"));
        assertEquals("free", header(response, "X-Key-Plan"));
        assertEquals("59", header(response, "X-RateLimit-Remaining"));
        assertTrue(response.headers().firstValue("Content-Type").isEmpty());
        assertEquals(401, send(method, replica.uri("/v1/authorize"), null).statusCode());
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/authorize/pets/1?x=1, 200",
        "/v1/authorize/, 200",
        "/v1//authorize;x=1/y, 200",
        "/v1/authorize/../pets, 400",
        "/v1/authorize/%2e%2e/pets, 400",
        "/v1/authorized, 404"
    })
    void path_below_isDecidedAsTheGateItself(String path, int status) throws Exception {
        assertEquals(status, send("GET", replica.uri(path), TestKey.of("free")).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/authorize", "/v1/authorize/pets", "/v1/authorize;x=1"})
    void preflight_withoutKey_is401ThoughOriginsAreConfigured(String path) throws Exception {
        assertEquals(401, send("OPTIONS", replica.uri(path), null, PREFLIGHT).statusCode());
        assertEquals(
                200,
                send("OPTIONS", replica.uri(path), TestKey.of("free"), PREFLIGHT)
                        .statusCode());
    }

    @Test
    void requests_beyondTheQuota_are429AndHaveTheRouteInTheLog() throws Exception {
        TestKey key = TestKey.of("free");
        for (int i = 0; i < 60; i++) {
            assertEquals(200, send("GET", replica.uri("/v1/authorize"), key).statusCode());
        }

        HttpResponse<String> refused = send("GET", replica.uri("/v1/authorize"), key);

        assertEquals(429, refused.statusCode());
        assertTrue(Integer.parseInt(header(refused, "Retry-After")) > 0);
        assertTrue(refused.body().contains("rate_limit_exceeded"), refused.body());
        Awaitility.await().until(() -> statuses(key).equals(Set.of("200", "429")));
        assertTrue(replica.body("/q/openapi?format=json").contains("\"/authorize\""));
    }

    /** The statuses in the log of requests with a key and the route of the gate. */
    private Set<String> statuses(TestKey key) throws IOException {
        return replica.events().stream()
                .map(event -> event.path("mdc"))
                .filter(mdc -> mdc.path("key").asText().equals(Long.toString(key.id()))
                        && mdc.path("route").asText().equals("/v1/authorize"))
                .map(mdc -> mdc.path("status").asText())
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @EnabledIf("dev.animalstore.process.GatewayProcess#areInstalled")
    void proxy_passesOnWhatIsAdmittedOnly(Kind kind) throws Exception {
        TestKey key = TestKey.of(2, 100);
        try (GatewayProcess proxy = new GatewayProcess(kind, replica.port(), service.port())) {
            URI target = URI.create("http://127.0.0.1:" + proxy.port() + "/things?x=1");

            HttpResponse<String> admitted = send("POST", target, key, FORGED);
            assertEquals(200, admitted.statusCode());
            assertEquals("body", admitted.body());
            assertEquals("1", header(admitted, "X-RateLimit-Remaining"));
            assertTrue(header(admitted, "RateLimit").startsWith("\"minute\";r=1;"));
            assertEquals(Map.of("x-key-id", Long.toString(key.id()), "x-key-plan", "enterprise"), identity());

            assertEquals(200, send("GET", target, key).statusCode());
            HttpResponse<String> refused = send("GET", target, key);
            assertEquals(429, refused.statusCode());
            assertTrue(Integer.parseInt(header(refused, "Retry-After")) > 0);
            assertEquals("0", header(refused, "X-RateLimit-Remaining"));
            assertTrue(refused.body().contains("\"code\":\"rate_limit_exceeded\""), refused.body());

            HttpResponse<String> unknown = send("GET", target, TestKey.unknown(), FORGED);
            assertEquals(401, unknown.statusCode());
            assertEquals("Bearer realm=\"animal-store\", error=\"invalid_token\"", header(unknown, "WWW-Authenticate"));
            assertTrue(unknown.body().contains("\"code\":\"invalid_api_key\""), unknown.body());
            assertEquals(
                    401,
                    send("OPTIONS", target, null, "Origin", "https://app.example")
                            .statusCode());
            assertEquals(2, reached.get());

            assertEquals(
                    200,
                    send("OPTIONS", target, null, concat(PREFLIGHT, FORGED)).statusCode());
            assertEquals(3, reached.get());
            assertEquals(Map.of(), identity());

            // A proxy removes the headers that this one names.
            TestKey other = TestKey.of(1, 100);
            String named = RawHttp.head("GET /things", other.text(), "Connection: X-Key-Id, X-Key-Plan")
                    .replace("localhost", "127.0.0.1");
            KeptConnection naming = KeptConnection.open(1, proxy.port(), named).get(0);
            Awaitility.await().until(naming::hasReceived);
            assertEquals(4, reached.get());
            assertEquals(Map.of("x-key-id", Long.toString(other.id()), "x-key-plan", "enterprise"), identity());
            KeptConnection.closeAll(List.of(naming));
        }
        assertTrue(replica.log().contains("\"client\":\"127.0.0.1\""));
        assertTrue(!replica.log().contains("192.0.2.7"), "X-Forwarded-For is the client's own");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @EnabledIf("dev.animalstore.process.GatewayProcess#areInstalled")
    void proxy_whoseGateIsServiceOrHangs_letsNobodyIn(Kind kind) throws Exception {
        TestKey key = TestKey.of("free");
        try (GatewayProcess stopped = new GatewayProcess(kind, Settings.freePort(), service.port());
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                GatewayProcess hanging = new GatewayProcess(kind, silent.getLocalPort(), service.port())) {
            for (GatewayProcess proxy : List.of(stopped, hanging)) {
                HttpResponse<String> response =
                        send("GET", URI.create("http://127.0.0.1:" + proxy.port() + "/"), key, FORGED);
                assertEquals(503, response.statusCode());
                assertTrue(response.body().contains("\"code\":\"service_unavailable\""), response.body());
            }
        }
        assertEquals(0, reached.get());
    }

    /** What the service behind has received of who sent the request, whatever the spelling. */
    private Map<String, String> identity() {
        return received.get().entrySet().stream()
                .filter(header -> header.getKey().matches("(?i)x.key.(id|plan)|authorization"))
                .collect(Collectors.toMap(
                        header -> header.getKey().toLowerCase(Locale.ROOT),
                        header -> String.join(",", header.getValue())));
    }

    private HttpServer startService() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
            server.createContext("/", exchange -> {
                reached.incrementAndGet();
                received.set(exchange.getRequestHeaders());
                byte[] body = exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpResponse<String> send(String method, URI target, TestKey key, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target)
                .method(method, method.equals("POST") ? BodyPublishers.ofString("body") : BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (key != null) {
            request.header("Authorization", "Bearer " + key.text());
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    /** A header that is there once. */
    private static String header(HttpResponse<?> response, String name) {
        List<String> values = response.headers().allValues(name);
        assertEquals(1, values.size(), () -> name + " " + values);
        return values.get(0);
    }

    private static String[] concat(String[] one, String[] other) {
        return Stream.of(one, other).flatMap(Stream::of).toArray(String[]::new);
    }

    /** The service behind, which ends with the test. */
    private record Service(HttpServer server) implements AutoCloseable {
        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
