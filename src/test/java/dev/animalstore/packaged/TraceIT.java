package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The package with tracing: traces of clients are continued (W3C Trace Context), whether the request is admitted or not. */
class TraceIT {
    private static SpanCollector collector;
    private static Replica replica;
    private static TestKey key;

    @BeforeAll
    static void start() throws IOException {
        collector = new SpanCollector();
        replica = Replica.start(Map.of(
                "quarkus.otel.sdk.disabled",
                "false",
                "quarkus.otel.exporter.otlp.endpoint",
                collector.endpoint(),
                "quarkus.otel.exporter.otlp.protocol",
                "http/protobuf",
                "quarkus.otel.bsp.schedule.delay",
                "100ms"));
        key = TestKey.unlimited();
    }

    @AfterAll
    static void stop() {
        replica.close();
        collector.close();
    }

    @ParameterizedTest
    @CsvSource({
        "true, 200, 0af7651916cd43dd8448eb211c80319c, b7ad6b7169203331",
        "false, 401, 4bf92f3577b34da6a3ce929d0e0e4736, 00f067aa0ba902b7"
    })
    void trace_ofTheClient_isContinuedInSpansAndLog(boolean withKey, int status, String trace, String parent)
            throws IOException {
        String authorization = withKey ? "Bearer " + key.text() : "Bearer " + key.text() + "x";
        int actual = replica.get(
                        "/v1/pets?limit=1",
                        "Authorization",
                        authorization,
                        "traceparent",
                        "00-" + trace + "-" + parent + "-01",
                        "X-Request-Id",
                        trace)
                .join()
                .statusCode();

        assertEquals(status, actual);
        Awaitility.await().until(() -> collector.hasIdentifier(trace) && collector.hasIdentifier(parent));
        Awaitility.await().until(() -> traceInLog(trace).equals(trace));
    }

    @Test
    void span_holdsTheRouteAndNothingThatIsSecret() throws IOException {
        String trace = "11112222333344445555666677778888";
        replica.get(
                        "/v1/pets/1",
                        "Authorization",
                        "Bearer " + key.text(),
                        "traceparent",
                        "00-" + trace + "-b7ad6b7169203331-01")
                .join();

        Awaitility.await().until(() -> collector.hasIdentifier(trace) && collector.hasText("/v1/pets/{petId}"));
        assertTrue(collector.hasText("animal-store"), "the name of the service");
        assertFalse(collector.hasText("Bearer"), "an authorization");
        assertFalse(collector.hasText(key.text().substring("ask_test_".length(), "ask_test_".length() + 20)), "a key");
    }

    @Test
    void operations_haveNoSpans() {
        String trace = "99992222333344445555666677778888";
        replica.get("/q/health/live", "traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                .join();
        String later = "99992222333344445555666677779999";
        replica.get("/v1/pets", "traceparent", "00-" + later + "-b7ad6b7169203331-01")
                .join();

        Awaitility.await().until(() -> collector.hasIdentifier(later));
        assertFalse(collector.hasIdentifier(trace), "a span of an operation");
    }

    private static String traceInLog(String request) throws IOException {
        return replica.log().accesses().stream()
                .map(line -> line.get("mdc"))
                .filter(members -> members.path("request").asText().equals(request))
                .map(members -> members.path("traceId").asText())
                .findFirst()
                .orElse("");
    }
}
