package dev.animalstore.packaged;

import static dev.animalstore.packaged.SharedReplicas.SPANS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the package writes in production: one line per request, and traces that continue those of clients (W3C Trace Context), whether the
 * request is admitted or not.
 */
class LogAndTraceIT {
    private final Replica replica = SharedReplicas.configured();
    private final TestKey key = TestKey.unlimited();

    @Test
    void output_thatNobodyReads_delaysNoRequestAndDropsLines() throws IOException {
        List<String> intoAPipe =
                List.of("sh", "-c", "mkfifo $0; exec \"$@\" 1<> $0", "target/replicas/" + UUID.randomUUID());
        try (Replica unread =
                Replica.start(Map.of(), process -> process.command().addAll(0, intoAPipe))) {
            String[] headers = {"Authorization", "Bearer " + key.text(), "X-Request-Id", "x".repeat(128)};
            Awaitility.await().until(() -> {
                Responses.atOnce(200, i -> unread.get("/v1/pets?limit=1", headers))
                        .forEach(response -> assertEquals(200, response.statusCode()));
                return unread.metric("animalstore_access_log_dropped_total") > 0;
            });
            assertEquals(200, unread.status("/q/health/live"));
            // It would wait for its last lines to be read.
            unread.kill();
        }
    }

    @Test
    void log_ofAHostWithTheLocaleOfTheImages_isUtf8WithAsciiDigits() throws IOException {
        Map<String, String> host = Map.of("LANG", "C.UTF-8", "LC_ALL", "");
        try (Replica foreign = Replica.start(host, "-Duser.language=ar", "-Duser.country=EG")) {
            foreign.issue("{\"owner\":\"\u017baba\",\"plan\":\"free\"}");
            Awaitility.await()
                    .until(() -> foreign.audits("owner=\u017baba outcome=201 ").size() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x"})
    void trace_ofTheClient_isContinuedInSpansAndLogWithoutSecrets(String damage) {
        String trace = UUID.randomUUID().toString().replace("-", "");
        String parent = trace.substring(16);
        String[] headers = {
            "Authorization", "Bearer " + key.text() + damage,
            "traceparent", "00-" + trace + "-" + parent + "-01",
            "X-Request-Id", trace
        };
        assertEquals(
                damage.isEmpty() ? 404 : 401,
                replica.get("/v1/pets/0", headers).join().statusCode());

        Awaitility.await().until(() -> hasIdentifier(trace) && hasIdentifier(parent));
        Awaitility.await()
                .until(() -> replica.events().stream()
                        .anyMatch(line -> line.path("loggerName").asText().equals("access")
                                && line.at("/mdc/request").asText().equals(trace)
                                && line.at("/mdc/traceId").asText().equals(trace)));
        assertTrue(hasText("animal-store"), "the name of the service");
        assertTrue(!damage.isEmpty() || hasText("/v1/pets/{petId}"), "the route");
        assertFalse(hasText("Bearer"), "an authorization");
        assertFalse(hasText(key.text().substring("ask_test_".length(), "ask_test_".length() + 20)), "a key");
    }

    private static boolean hasText(String text) {
        return SPANS.stream().anyMatch(spans -> spans.contains(text));
    }

    /** Whether any span had an identifier of a trace or span, given in hexadecimal digits. */
    private static boolean hasIdentifier(String hex) {
        return hasText(new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1));
    }
}
