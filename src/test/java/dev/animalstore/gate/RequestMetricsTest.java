package dev.animalstore.gate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The log line and the metrics of a request, and the identifier that its response repeats. */
@QuarkusTest
class RequestMetricsTest {
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
    void line_ofAnAdmittedRequest_namesKeyPlanOutcomeRouteAndTime() {
        TestKey key = TestKey.of("free");
        key.given().header("X-Request-Id", "req-1").get("/v1/pets/1?x=1");

        assertThat(
                lineOf("req-1"),
                matchesPattern("GET /v1/pets/\\{petId} (200|404) micros=[1-9][0-9]* key=" + key.id()
                        + " plan=free outcome=admitted request=req-1"));
    }

    @Test
    void line_ofARefusedRequest_saysWhy() {
        TestKey key = TestKey.of(1, 1);
        key.given().get("/v1/pets");
        key.given().header("X-Request-Id", "req-2").get("/v1/pets");

        assertThat(
                lineOf("req-2"),
                matchesPattern("GET none 429 micros=[0-9]+ key=" + key.id()
                        + " plan=enterprise outcome=refused request=req-2"));
    }

    @Test
    void line_ofARequestWithoutKey_namesNone() {
        RestAssured.given().header("X-Request-Id", "req-3").get("/v1/pets");

        assertThat(
                lineOf("req-3"),
                matchesPattern("GET none 401 micros=[0-9]+ key=none plan=none outcome=unauthorized request=req-3"));
    }

    @Test
    void line_ofAnOperatorsRequest_hasNoDecision() {
        RestAssured.given().header("X-Request-Id", "req-4").get("/admin/keys");

        assertThat(lineOf("req-4"), matchesPattern("GET none 401 micros=[0-9]+ key= plan= outcome= request=req-4"));
    }

    @Test
    void line_ofARequestWhoseClientHangsUp_saysSo() throws IOException {
        TestKey key = TestKey.of("free");
        try (Socket client = new Socket("localhost", RestAssured.port)) {
            client.getOutputStream()
                    .write(("POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: req-7\r\nAuthorization: Bearer "
                                    + key.text() + "\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{")
                            .getBytes(StandardCharsets.US_ASCII));
            Awaitility.await().until(() -> Operator.show(key).extract().<Integer>path("usage.minute.remaining") == 59);
        }

        assertThat(
                lineOf("req-7"), matchesPattern("POST \\S+ 499 micros=[0-9]+ key=" + key.id() + " .* request=req-7"));
    }

    @Test
    void operations_areNotLogged() {
        RestAssured.given()
                .header("X-Request-Id", "req-5")
                .get("/q/health/live")
                .then()
                .statusCode(200)
                .header("X-Request-Id", nullValue());
        RestAssured.given().header("X-Request-Id", "req-6").get("/v1");

        lineOf("req-6");
        assertThat(lines(), not(hasItem(containsString("req-5"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "4d2b1f0e-9c8a", "A_b.c:d-1"})
    void identifier_thatIsHarmless_isRepeated(String id) {
        RestAssured.given().header("X-Request-Id", id).get("/v1/pets").then().header("X-Request-Id", equalTo(id));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "x\" outcome=admitted", "caf\u00e9", "<script>"})
    void identifier_thatIsNotHarmless_isReplaced(String id) {
        RestAssured.given()
                .header("X-Request-Id", id)
                .get("/v1/pets")
                .then()
                .header("X-Request-Id", matchesPattern("[0-9a-f]{32}"));
    }

    @Test
    void identifier_thatIsTooLong_isReplaced() {
        RestAssured.given()
                .header("X-Request-Id", "x".repeat(129))
                .get("/v1/pets")
                .then()
                .header("X-Request-Id", matchesPattern("[0-9a-f]{32}"));
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/pets, 200, /v1/pets", "GET, /v1/nothing, 404, none", "FOO, /v1/pets, 405, none"})
    void time_isKeptByMethodRouteAndStatus(String method, String path, int status, String route) {
        TestKey.unlimited().given().request(method, path).then().statusCode(status);

        String name = method.equals("FOO") ? "other" : method;
        awaitSeries("http_server_requests_seconds_count{method=\"" + name + "\",status=\"" + status + "\",uri=\""
                + route + "\"}");
    }

    @Test
    void decisions_areCountedByPlanAndOutcome() {
        TestKey.of("pro").given().get("/v1/pets").then().statusCode(200);

        awaitSeries("animalstore_quota_decisions_total{outcome=\"admitted\",plan=\"pro\"}");
    }

    @Test
    void defectsOfARoute_areCountedFromZeroOnceItIsRequested() {
        TestKey.unlimited().given().put("/v1/nothing").then().statusCode(404);

        awaitSeries("http_server_requests_seconds_count{method=\"PUT\",status=\"500\",uri=\"none\"} 0.0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"refused", "banned"})
    void refusalsOnAPlan_areCountedFromZeroOnceItIsSeen(String outcome) {
        TestKey.of("business").given().get("/v1/pets").then().statusCode(200);

        awaitSeries("animalstore_quota_decisions_total{outcome=\"" + outcome + "\",plan=\"business\"} 0.0\n");
    }

    /** Waits for a time series, since metrics are recorded some time after the response was sent. */
    private static void awaitSeries(String series) {
        Awaitility.await().until(() -> RestAssured.get("/q/metrics").body().asString(), containsString(series));
    }

    /** The log line of a request, which is written some time after the response was sent. */
    private String lineOf(String id) {
        Awaitility.await().until(() -> lines().stream().anyMatch(line -> line.endsWith("request=" + id)));
        return lines().stream()
                .filter(line -> line.endsWith("request=" + id))
                .findFirst()
                .orElseThrow();
    }

    /** The log lines of requests. */
    private List<String> lines() {
        return written.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("\"loggerName\":\"access\""))
                .map(RequestMetricsTest::inShort)
                .toList();
    }

    private static String inShort(String line) {
        JsonPath json = JsonPath.from(line);
        return json.getString("message")
                + Stream.of("micros", "key", "plan", "outcome", "request")
                        .map(member -> " " + member + "=" + Objects.toString(json.getString("mdc." + member), ""))
                        .collect(Collectors.joining());
    }
}
