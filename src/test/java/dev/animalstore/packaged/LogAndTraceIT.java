package dev.animalstore.packaged;

import static dev.animalstore.packaged.SharedReplicas.SPANS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Artifact;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the package writes in production: one JSON document per line, one line per request, and traces that continue those of clients (W3C
 * Trace Context), whether the request is admitted or not.
 */
class LogAndTraceIT {
    private static final String PARENT = "b7ad6b7169203331";

    private final Replica replica = SharedReplicas.configured();
    private final TestKey key = TestKey.unlimited();

    @Test
    void lines_fromTheStartOn_areJson() throws IOException {
        List<JsonNode> events = replica.events();

        assertTrue(events.size() > 1, events.toString());
        for (JsonNode event : events) {
            for (String member : List.of("message", "level", "loggerName")) {
                assertTrue(event.hasNonNull(member), event.toString());
            }
            Instant.from(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(
                    event.get("timestamp").asText()));
        }
    }

    @Test
    void accessLines_areDisabledByOneVariable() throws IOException {
        Replica quiet = SharedReplicas.open();
        quiet.get("/v1/pets", "X-Request-Id", "log-4").join();
        quiet.operate("DELETE", "/admin/keys/0", "");

        Awaitility.await().until(() -> quiet.log().contains("audit action=revokeKey"));
        assertEquals(List.of(), accesses(quiet));
        assertFalse(quiet.log().contains("log-4"), "in the log");
    }

    @Test
    void output_thatNobodyReads_delaysNoRequestAndDropsLines() throws IOException {
        int port = Settings.freePort();
        ProcessBuilder process = Artifact.read().process(Settings.with(Map.of(), port));
        Path pipe = Path.of("target", "replicas", "unread-" + port);
        process.command().addAll(0, List.of("sh", "-c", "mkfifo $0; exec \"$@\" 1<> $0", pipe.toString()));
        try (Replica unread = Replica.start(process, port)) {
            String[] headers = {"Authorization", "Bearer " + key.text(), "X-Request-Id", "x".repeat(128)};
            Awaitility.await().until(() -> {
                Stream.generate(() -> unread.get("/v1/pets?limit=1", headers))
                        .limit(200)
                        .toList()
                        .forEach(response -> assertEquals(200, response.join().statusCode()));
                return unread.metric("animalstore_access_log_dropped_total") > 0;
            });
            assertEquals(200, unread.status("/q/health/live"));
            // It would wait for its last lines to be read.
            unread.kill();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, 200, 0af7651916cd43dd8448eb211c80319c, b7ad6b7169203331",
        "false, 401, 4bf92f3577b34da6a3ce929d0e0e4736, 00f067aa0ba902b7"
    })
    void trace_ofTheClient_isContinuedInSpansAndLog(boolean withKey, int status, String trace, String parent)
            throws IOException {
        String text = key.text() + (withKey ? "" : "x");
        int actual = send("/v1/pets?limit=1", text, trace, parent);

        assertEquals(status, actual);
        Awaitility.await().until(() -> hasIdentifier(trace) && hasIdentifier(parent));
        Awaitility.await()
                .until(() -> find(trace).stream()
                        .anyMatch(line -> line.at("/mdc/traceId").asText().equals(trace)));
    }

    @Test
    void span_holdsTheRouteAndNothingThatIsSecret() throws IOException {
        String trace = "11112222333344445555666677778888";
        send("/v1/pets/1", key.text(), trace, PARENT);

        Awaitility.await().until(() -> hasIdentifier(trace) && hasText("/v1/pets/{petId}"));
        assertTrue(hasText("animal-store"), "the name of the service");
        assertFalse(hasText("Bearer"), "an authorization");
        assertFalse(hasText(key.text().substring("ask_test_".length(), "ask_test_".length() + 20)), "a key");
    }

    @Test
    void operations_haveNoSpans() {
        String trace = "99992222333344445555666677778888";
        send("/q/health/live", key.text(), trace, PARENT);
        String later = "99992222333344445555666677779999";
        send("/v1/pets", key.text(), later, PARENT);

        Awaitility.await().until(() -> hasIdentifier(later));
        assertFalse(hasIdentifier(trace), "a span of an operation");
    }

    /** Sends a request that continues a trace, which identifies it in the log too, and returns the status. */
    private int send(String path, String key, String trace, String parent) {
        String traceparent = "00-" + trace + "-" + parent + "-01";
        String[] headers = {"Authorization", "Bearer " + key, "traceparent", traceparent, "X-Request-Id", trace};
        return replica.get(path, headers).join().statusCode();
    }

    private static boolean hasText(String text) {
        return SPANS.stream().anyMatch(spans -> spans.contains(text));
    }

    /** Whether any span had an identifier of a trace or span, given in hexadecimal digits. */
    private static boolean hasIdentifier(String hex) {
        return hasText(new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1));
    }

    private static List<JsonNode> accesses(Replica of) throws IOException {
        return of.events().stream()
                .filter(event -> event.path("loggerName").asText().equals("access"))
                .toList();
    }

    /** The lines of a request, which are written after the response was sent. */
    private List<JsonNode> find(String request) throws IOException {
        return accesses(replica).stream()
                .filter(line -> line.at("/mdc/request").asText().equals(request))
                .toList();
    }
}
