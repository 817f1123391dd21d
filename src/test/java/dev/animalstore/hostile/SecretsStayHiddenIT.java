package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Every refusal and every operator's action: afterwards neither the log nor the metrics of the replica contain a key, a secret or the
 * operators' token, nor does any response, except those that issue a secret.
 */
class SecretsStayHiddenIT {
    private static final String OWNER = "O\"Neil \\ Söhne";
    private static final String QUOTED_OWNER = "O\\\"Neil \\\\ Söhne";

    /** Method, path, authorization, media type, and body. KEY and PATH are of a key, TOKEN is that of the operators. */
    private static final String REQUESTS = """
            GET    | /v1/pets            | Basic KEY       | application/json |
            GET    | /v1/pets            | KEY             | application/json |
            GET    | /v1/pets            | Bearer KEYx     | application/json |
            GET    | /v1/pets            | Bearer !KEY     | application/json |
            GET    | /v1/pets            | Bearer TOKEN    | application/json |
            GET    | /v1/KEY             | Bearer KEY      | application/json |
            GET    | /v1/pets/KEY        | Bearer KEY      | application/json |
            GET    | /v1/pets?cursor=KEY | Bearer KEY      | application/json |
            GET    | /v1/pets?status=KEY | Bearer KEY      | application/json |
            GET    | /v1/pets?limit=KEY  | Bearer KEY      | application/json |
            PUT    | /v1/pets            | Bearer KEY      | application/json | KEY
            POST   | /v1/pets            | Bearer KEY      | application/json | KEY
            POST   | /v1/pets            | Bearer KEY      | application/json | {"name":7,"categoryId":"KEY"}
            POST   | /v1/pets            | Bearer KEY      | application/json | LONG
            POST   | /v1/pets            | Bearer KEY      | text/KEY         | {}
            GET    | /admin/keys         | Bearer KEY      | application/json |
            GET    | /admin/keys         | Bearer TOKENx   | application/json |
            GET    | /admin/keys?cursor=KEY | Bearer TOKEN | application/json |
            GET    | /admin/keys?owner=OWNER | Bearer TOKEN | application/json |
            GET    | /admin/keys/KEY     | Bearer TOKEN    | application/json |
            GET    | /admin/KEY          | Bearer TOKEN    | application/json |
            GET    | PATH                | Bearer TOKEN    | application/json |
            POST   | /admin/keys         | Bearer TOKEN    | application/json | {"owner":"a","plan":"KEY"}
            POST   | /admin/keys/lookup  | Bearer KEY      | application/json | {"key":"KEY"}
            POST   | /admin/keys/lookup  | Bearer TOKEN    | application/json | {"key":"KEY"}
            POST   | /admin/keys/lookup  | Bearer TOKEN    | application/json | {"key":"KEYx"}
            GET    | /admin/keys/lookup?key=KEY | Bearer TOKEN | application/json |
            PATCH  | PATH                | Bearer TOKEN    | application/json | KEY
            PATCH  | PATH                | Bearer TOKEN    | application/json | {"plan":"pro"}
            DELETE | PATH/ban            | Bearer TOKEN    | application/json |
            DELETE | PATH                | Bearer TOKEN    | application/json |
            POST   | PATH/rotation       | Bearer TOKEN    | application/json | {"graceSeconds":0}
            GET    | /v1/pets            | Bearer KEY      | application/json |
            """;

    private final Replica replica = Replica.shared(Map.of());

    /** Those that must contain no secret. */
    private final List<HttpResponse<String>> responses = new ArrayList<>();

    @Test
    void secrets_afterEveryRefusalAndAction_appearNowhere() throws IOException {
        TestKey key = issue();
        String rotation = Operator.path(key) + "/rotation";
        HttpResponse<String> response = replica.operate("POST", rotation, "{\"graceSeconds\":600}");
        TestKey rotated = new TestKey(key.id(), JsonPath.from(response.body()).getString("key"));
        TestKey small = TestKey.of(1, 1);
        TestKey revoked = issue().update("revoked_at = now()");
        TestKey expired = issue().update("expires_at = now()");
        for (TestKey refused : List.of(small, small, small, small, revoked, expired)) {
            send("GET", "/v1/pets", "Bearer " + refused.text(), "application/json", "");
        }
        responses.add(replica.send(HttpRequest.newBuilder(replica.uri("/v1/pets"))
                        .header("Authorization", "Bearer " + key.text())
                        .header("Accept", "text/" + key.text()))
                .join());
        for (String line : REQUESTS.lines().toList()) {
            String[] parts = line.replace("LONG", "KEY".repeat(2000))
                    .replace("KEY", rotated.text())
                    .replace("PATH", Operator.path(key))
                    .replace("TOKEN", Operator.TOKEN)
                    .replace("OWNER", URLEncoder.encode(OWNER, StandardCharsets.UTF_8))
                    .split("\\|", 5);
            send(parts[0].strip(), parts[1].strip(), parts[2].strip(), parts[3].strip(), parts[4].strip());
        }
        assertEquals(
                Set.of(200, 204, 400, 401, 404, 405, 409, 413, 415, 429),
                responses.stream().map(HttpResponse::statusCode).collect(Collectors.toSet()));

        String metrics = replica.body("/q/metrics");
        assertTrue(metrics.contains("animalstore_operator_actions_total{action=\"issueKey\""), metrics);
        String log = replica.log();
        // A part of a secret must not appear either, except the hint.
        Stream.concat(
                        Stream.of(Operator.TOKEN),
                        Stream.of(key, rotated, small, revoked, expired)
                                .map(each -> each.text().substring("ask_test_".length(), "ask_test_".length() + 20)))
                .forEach(secret -> {
                    assertFalse(log.contains(secret), "in the log");
                    assertFalse(metrics.contains(secret), "in the metrics");
                    assertTrue(responses.stream().noneMatch(each -> each.body().contains(secret)));
                });
    }

    @Test
    void audit_ofEveryAction_isOneLineWithKeyOwnerAndOutcome() throws IOException {
        TestKey key = issue();
        String path = Operator.path(key);
        replica.operate("GET", path, "");
        replica.operate("POST", "/admin/keys/lookup", "{\"key\":\"" + key.text() + "\"}");
        replica.operate("PATCH", path, "{\"plan\":\"pro\"}");
        replica.operate("PATCH", path, "{\"plan\":\"gold\"}");
        replica.operate("POST", path + "/rotation", "{\"graceSeconds\":60}");
        replica.operate("DELETE", path + "/ban", "");
        replica.operate("DELETE", path, "");
        replica.operate("PATCH", path, "{\"plan\":\"free\"}");

        String suffix = " key=" + key.id() + " owner=\"" + QUOTED_OWNER + "\" outcome=";
        String unknownOwner = " key=" + key.id() + " owner=\"\" outcome=";
        List<String> expected = List.of(
                "audit action=issueKey" + suffix + "201 operator=admin address=127.0.0.1",
                "audit action=getKey" + suffix + "200 operator=admin address=127.0.0.1",
                "audit action=lookupKey" + suffix + "200 operator=admin address=127.0.0.1",
                "audit action=changeKey" + suffix + "200 operator=admin address=127.0.0.1",
                "audit action=changeKey" + unknownOwner + "400 operator=admin address=127.0.0.1",
                "audit action=rotateKey" + suffix + "201 operator=admin address=127.0.0.1",
                "audit action=liftBan" + suffix + "204 operator=admin address=127.0.0.1",
                "audit action=revokeKey" + suffix + "204 operator=admin address=127.0.0.1",
                "audit action=changeKey" + unknownOwner + "409 operator=admin address=127.0.0.1");
        // They are written after the response was sent.
        Awaitility.await().untilAsserted(() -> assertEquals(expected, auditLines(" key=" + key.id() + " ")));
    }

    @Test
    void audit_ofARequestForNoKey_containsNothingOfItsPath() throws IOException {
        int before = auditLines("").size();
        replica.operate("DELETE", "/admin/keys/1%0Aaudit%20action=forged", "");
        replica.operate("DELETE", "/admin/keys/1%22%20owner=forged", "");
        List<String> lines = auditLines("");
        assertEquals(before + 2, lines.size());
        assertFalse(replica.log().contains("forged"), replica.log());
    }

    private void send(String method, String path, String authorization, String type, String body) {
        responses.add(replica.send(HttpRequest.newBuilder(replica.uri(path))
                        .header("Authorization", authorization)
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofString(body)))
                .join());
    }

    private TestKey issue() {
        return replica.issue("{\"owner\":\"" + QUOTED_OWNER + "\",\"plan\":\"free\"}");
    }

    /** The audit lines that contain a text. */
    private List<String> auditLines(String text) throws IOException {
        return replica.events().stream()
                .map(event -> event.get("message").asText())
                .filter(message -> message.startsWith("audit action=") && message.contains(text))
                .toList();
    }
}
