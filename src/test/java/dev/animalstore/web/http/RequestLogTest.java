package dev.animalstore.web.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.Management;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The log line and the metrics of a request, and the identifier that its response repeats. */
@QuarkusTest
class RequestLogTest {
    private static final Logger ACCESS = Logger.getLogger("access");

    private final PrintStream console = System.out;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        ACCESS.setLevel(Level.INFO);
    }

    @AfterEach
    void listenNoMore() {
        ACCESS.setLevel(Level.OFF);
        System.setOut(console);
    }

    @Test
    void line_namesRouteStatusTimeKeyPlanAndOutcome() {
        TestKey key = TestKey.of(1, 1);
        String ofKey = " key=" + key.id() + " plan=enterprise outcome=";

        assertLine(
                key.given(),
                "/v1/samples/1?x=1",
                "GET /v1/samples/\\{id} (200|404) micros=[1-9][0-9]*" + ofKey + "admitted");
        assertLine(key.given(), "/v1/samples", "GET none 429 micros=[0-9]+" + ofKey + "refused");
        TestKey rotated = TestKey.of(2, 2).updateSecret("rotated_at = now(), expires_at = now() + interval '1 hour'");
        assertLine(
                rotated.given(),
                "/v1/nothing",
                "GET none 404 micros=[0-9]+ key=" + rotated.id() + " plan=enterprise outcome=admitted secret=rotated");
        assertLine(RestAssured.given(), "/v1", "GET none 401 micros=[0-9]+ key=none plan=none outcome=unauthorized");
        assertLine(RestAssured.given(), "/admin/keys", "GET none 401 micros=[0-9]+ key= plan= outcome=");
        RequestSpecification raw = RestAssured.given().urlEncodingEnabled(false);
        assertLine(raw, "/%2e/v1/samples", "GET none 400 micros=[0-9]+ key= plan= outcome=");
    }

    @Test
    void route_ofAnOperation_isWithoutItsRegularExpressionsInLogAndMetrics() {
        assertLine(
                Operator.given(),
                "/admin/keys/999999999/usage",
                "GET /admin/keys/\\{id}/usage 404 micros=[0-9]+ key= plan= outcome=");
        String metrics = Management.get("/metrics").asString();
        assertTrue(metrics.contains("uri=\"/admin/keys/{id}/usage\""), metrics);
        assertFalse(metrics.contains("[0-9]"), metrics);
    }

    /** An operator sees that a revoked key is still used; the client learns neither. */
    @ParameterizedTest
    @CsvSource({
        "revoked, revoked_at = now()",
        "suspended, suspended_at = now()",
        "expired, expires_at = now() - interval '1 hour'"
    })
    void line_ofAKeyThatHasEnded_namesItAndTheReason(String reason, String ended) {
        assertEnded(reason, TestKey.unlimited().update(ended));
    }

    @Test
    void line_ofASecretThatHasEnded_namesItsKey() {
        String rotated = "rotated_at = now() - interval '2 hours', expires_at = now() - interval '1 hour'";
        assertEnded("rotated", TestKey.unlimited().updateSecret(rotated));
    }

    private void assertEnded(String reason, TestKey key) {
        assertLine(
                key.given(),
                "/v1/nothing",
                "GET none 401 micros=[0-9]+ key=" + key.id() + " plan=none outcome=unauthorized ended=" + reason);
        key.given()
                .get("/v1/nothing")
                .then()
                .header("WWW-Authenticate", "Bearer realm=\"animal-store\", error=\"invalid_token\"")
                .header("Deprecation", nullValue())
                .body("message", equalTo("The API key is not valid."));
    }

    /** Otherwise the next line would continue it. */
    @Test
    void line_thatFails_isForgotten() throws InterruptedException {
        AccessLogWriter writer = new AccessLogWriter(new SimpleMeterRegistry());
        assertThrows(
                IllegalStateException.class,
                () -> writer.write(line -> {
                    line.writeBytes("{half".getBytes(StandardCharsets.UTF_8));
                    throw new IllegalStateException();
                }));
        writer.write(line -> line.writeBytes("{whole}".getBytes(StandardCharsets.UTF_8)));
        writer.stop();

        assertTrue(
                written.toString(StandardCharsets.UTF_8).lines().anyMatch("{whole}"::equals),
                () -> written.toString(StandardCharsets.UTF_8));
    }

    @Test
    void line_ofAPlanWithAQuotationMark_isJson() {
        TestDatabase.execute(
                "insert into plan (name, per_minute, per_day) values ('the \"new\" one', 9, 9) on conflict do nothing");
        TestKey key = TestKey.of("the \"new\" one");

        assertLine(
                key.given(),
                "/v1/nothing",
                "GET none 404 micros=[0-9]+ key=" + key.id() + " plan=the \"new\" one outcome=admitted");
        // Other tests count the plans.
        key.update("plan = 'enterprise', per_minute = 9, per_day = 9");
        TestDatabase.execute("delete from plan where name = 'the \"new\" one'");
    }

    private void assertLine(RequestSpecification request, String path, String expected) {
        String id = UUID.randomUUID().toString();
        request.header("X-Request-Id", id).get(path);
        assertTrue(lineOf(id).matches(expected + " client=127.0.0.1 request=" + id), lineOf(id));
    }

    @Test
    void line_ofARequestWhoseClientHangsUp_saysSo() throws IOException {
        TestKey key = TestKey.of("free");
        try (KeptConnection client = new KeptConnection(RestAssured.port)) {
            client.send(
                    RawHttp.head("POST /v1/samples", key.text(), "X-Request-Id: req-7\r\nContent-Length: 99") + "{");
            Awaitility.await().until(() -> Operator.show(key).extract().<Integer>path("usage.minute.remaining") == 59);
        }

        assertTrue(
                lineOf("req-7").matches("POST \\S+ 499 micros=[0-9]+ key=" + key.id() + " .* request=req-7"),
                lineOf("req-7"));
    }

    @Test
    void operations_areNotLogged() {
        RestAssured.given()
                .header("X-Request-Id", "req-5")
                .get("/q/openapi")
                .then()
                .statusCode(200)
                .header("X-Request-Id", equalTo("req-5"));
        RestAssured.given().header("X-Request-Id", "req-6").get("/v1");

        lineOf("req-6");
        assertTrue(lines("req-5").isEmpty());
    }

    static Stream<Arguments> identifiers() {
        return Stream.concat(
                Stream.of("a", "4d2b1f0e-9c8a", "A_b.c:d-1").map(id -> arguments(id, id)),
                Stream.of("", "a b", "x\" outcome=admitted", "caf\u00e9", "<script>", "x".repeat(129), "ask_test_0")
                        .map(id -> arguments(id, "[0-9a-f]{32}")));
    }

    @ParameterizedTest
    @MethodSource("identifiers")
    void identifier_isRepeatedOrReplacedIfItMayDoHarm(String sent, String received) {
        RestAssured.given()
                .header("X-Request-Id", sent)
                .get("/v1/samples")
                .then()
                .header("X-Request-Id", matchesPattern(received));
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/samples, 200, /v1/samples", "GET, /v1/nothing, 404, none", "FOO, /v1/samples, 405, none"})
    void time_isKeptByMethodRouteAndStatusAndDefectsAreCountedFromZero(
            String method, String path, int status, String route) {
        TestKey.unlimited().given().request(method, path).then().statusCode(status);

        String name = method.equals("FOO") ? "other" : method;
        String count =
                "http_server_requests_seconds_count{method=\"" + name + "\",status=\"%d\",uri=\"" + route + "\"} ";
        awaitSeries(count.formatted(status));
        awaitSeries(count.formatted(500) + "0.0\n");
    }

    @Test
    void decisions_areCountedByPlanAndOutcomeFromZeroOnceThePlanIsSeen() {
        TestKey.of("business").given().get("/v1/samples").then().statusCode(200);

        String decisions = "animalstore_quota_decisions_total{outcome=\"%s\",plan=\"business\"} ";
        awaitSeries(decisions.formatted("admitted"));
        awaitSeries(decisions.formatted("refused") + "0.0\n");
        awaitSeries(decisions.formatted("banned") + "0.0\n");
    }

    /** A label that tells keys apart would add series for each customer. */
    @Test
    void requestsOfAnotherKey_addNoSeries() {
        assertEquals(seriesAfterRequestsOfANewKey(), seriesAfterRequestsOfANewKey());
    }

    private static Set<String> seriesAfterRequestsOfANewKey() {
        TestKey key = TestKey.of(1, 1).update("owner = 'Metered " + UUID.randomUUID() + "'");
        double recorded = recorded();
        key.list().statusCode(200);
        key.list().statusCode(429);
        Operator.show(key).statusCode(200);
        Awaitility.await().until(() -> recorded() == recorded + 5);
        return ownSeries().map(line -> line.substring(0, line.lastIndexOf(' '))).collect(Collectors.toSet());
    }

    /** The number of requests and of decisions. */
    private static double recorded() {
        return ownSeries()
                .filter(line ->
                        line.matches("(http_server_requests_seconds_count|animalstore_quota_decisions_total)\\{.*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static Stream<String> ownSeries() {
        return Management.get("/metrics")
                .asString()
                .lines()
                .filter(line -> line.matches("(animalstore|http_server)_.*"));
    }

    /** Waits for a time series, since metrics are recorded some time after the response was sent. */
    private static void awaitSeries(String series) {
        Awaitility.await().until(() -> Management.get("/metrics").body().asString(), containsString(series));
    }

    /** The log line of a request, which is written some time after the response was sent. */
    private String lineOf(String id) {
        return Awaitility.await()
                .until(
                        () -> lines(id).stream()
                                .filter(line -> line.endsWith("request=" + id))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private List<String> lines(String id) {
        return written.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("\"loggerName\":\"access\"") && line.contains(id))
                .map(RequestLogTest::inShort)
                .toList();
    }

    private static String inShort(String line) {
        JsonPath json = JsonPath.from(line);
        return json.getString("message")
                + Stream.of("micros", "key", "plan", "outcome")
                        .map(member -> " " + member + "=" + Objects.toString(json.getString("mdc." + member), ""))
                        .collect(Collectors.joining())
                + Stream.of("ended", "secret")
                        .filter(member -> json.getString("mdc." + member) != null)
                        .map(member -> " " + member + "=" + json.getString("mdc." + member))
                        .collect(Collectors.joining())
                + " client=" + json.getString("mdc.client") + " request=" + json.getString("mdc.request");
    }
}
