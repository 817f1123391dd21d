package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The standard output of the package in production: one JSON document per line, and one line per request. */
class LogIT {
    private static final TypeReference<Map<String, String>> MEMBERS = new TypeReference<>() {};

    @AutoClose
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of());
    }

    @Test
    void lines_fromTheStartOn_areJson() throws IOException {
        List<JsonNode> events = replica.log().events();

        assertTrue(events.size() > 1, events.toString());
        for (JsonNode event : events) {
            assertTrue(event.isObject(), event.toString());
            assertTrue(event.hasNonNull("message"), event.toString());
            assertTrue(event.hasNonNull("level"), event.toString());
            assertTrue(event.hasNonNull("loggerName"), event.toString());
            Instant.from(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(
                    event.get("timestamp").asText()));
        }
    }

    @Test
    void line_ofAnAdmittedRequest_hasAMemberForEachFact() throws IOException {
        TestKey key = TestKey.of("free");
        replica.get("/v1/pets", "Authorization", "Bearer " + key.text(), "X-Request-Id", "log-1")
                .join();

        JsonNode line = lineOf("log-1");
        Map<String, String> members = members(line);
        assertThat(members.remove("micros"), matchesPattern("[1-9][0-9]*"));
        assertEquals("GET /v1/pets 200", line.get("message").asText());
        assertEquals(
                Map.of(
                        "method",
                        "GET",
                        "route",
                        "/v1/pets",
                        "status",
                        "200",
                        "key",
                        Long.toString(key.id()),
                        "plan",
                        "free",
                        "outcome",
                        "admitted",
                        "request",
                        "log-1"),
                members);
    }

    @Test
    void line_ofARefusedRequest_hasAMemberForEachFactToo() throws IOException {
        replica.get("/v1/pets", "X-Request-Id", "log-2").join();

        Map<String, String> members = members(lineOf("log-2"));
        assertThat(members, aMapWithSize(8));
        assertEquals("none", members.get("key"));
        assertEquals("unauthorized", members.get("outcome"));
    }

    @Test
    void line_never_holdsAKey() throws IOException {
        TestKey key = TestKey.of("free");
        replica.get("/v1/pets?status=" + key.text(), "Authorization", "Bearer " + key.text(), "X-Request-Id", "log-3")
                .join();

        lineOf("log-3");
        assertFalse(replica.log().text().contains(key.text()), "in the log");
    }

    @Test
    void accessLines_areDisabledByOneVariable() throws IOException, InterruptedException {
        try (Replica quiet = Replica.start(Map.of(), Map.of("QUARKUS_LOG_CATEGORY__ACCESS__LEVEL", "OFF"))) {
            quiet.get("/v1/pets", "X-Request-Id", "log-4").join();
            quiet.terminate();
            quiet.awaitEnd(Duration.ofSeconds(30));

            assertThat(quiet.log().accesses(), hasSize(0));
            assertThat(quiet.log().text().lines().toList(), everyItem(not(containsString("log-4"))));
        }
    }

    @Test
    void lines_ofAllRequests_areThere_onceTheServiceHasEnded() throws IOException, InterruptedException {
        List<String> sent =
                IntStream.range(0, 1000).mapToObj(i -> "log-end-" + i).toList();
        try (Replica ending = Replica.start(Map.of())) {
            sent.stream()
                    .map(id -> ending.get("/v1/pets", "X-Request-Id", id))
                    .toList()
                    .forEach(CompletableFuture::join);
            ending.terminate();
            ending.awaitEnd(Duration.ofSeconds(30));

            assertThat(
                    ending.log().accesses().stream()
                            .map(line -> line.at("/mdc/request").asText())
                            .toList(),
                    containsInAnyOrder(sent.toArray()));
        }
    }

    private static Map<String, String> members(JsonNode line) {
        return new ObjectMapper().convertValue(line.get("mdc"), MEMBERS);
    }

    /** The line of a request, which is written after the response was sent. */
    private static JsonNode lineOf(String request) throws IOException {
        Awaitility.await().until(() -> find(request).size() == 1);
        return find(request).get(0);
    }

    private static List<JsonNode> find(String request) throws IOException {
        return replica.log().accesses().stream()
                .filter(line -> line.at("/mdc/request").asText().equals(request))
                .toList();
    }
}
