package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import dev.animalstore.process.Replica;
import io.restassured.RestAssured;
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

    /** Method, path, authorization, and body. KEY and PATH are of a key, TOKEN is that of the operators. */
    private static final String REQUESTS = """
            GET    | /v1/pets            | Basic KEY |
            GET    | /v1/pets            | KEY |
            GET    | /v1/pets            | Bearer KEYx |
            GET    | /v1/pets            | Bearer !KEY |
            GET    | /v1/pets            | Bearer TOKEN |
            GET    | /v1/KEY             | Bearer KEY |
            GET    | /v1/pets/KEY        | Bearer KEY |
            GET    | /v1/pets?cursor=KEY | Bearer KEY |
            GET    | /v1/pets?status=KEY | Bearer KEY |
            GET    | /v1/pets?limit=KEY  | Bearer KEY |
            PUT    | /v1/pets            | Bearer KEY | KEY
            POST   | /v1/pets            | Bearer KEY | KEY
            POST   | /v1/pets            | Bearer KEY | {"name":7,"categoryId":"KEY"}
            POST   | /v1/pets            | Bearer KEY | LONG
            GET    | /admin/keys         | Bearer KEY |
            GET    | /admin/keys         | Bearer TOKENx |
            GET    | /admin/keys?cursor=KEY | Bearer TOKEN |
            GET    | /admin/keys?owner=OWNER | Bearer TOKEN |
            GET    | /admin/keys/KEY     | Bearer TOKEN |
            GET    | /admin/KEY          | Bearer TOKEN |
            GET    | PATH                | Bearer TOKEN |
            POST   | /admin/keys         | Bearer TOKEN | {"owner":"a","plan":"KEY"}
            POST   | /admin/keys/lookup  | Bearer KEY | {"key":"KEY"}
            POST   | /admin/keys/lookup  | Bearer TOKEN | {"key":"KEY"}
            POST   | /admin/keys/lookup  | Bearer TOKEN | {"key":"KEYx"}
            GET    | /admin/keys/lookup?key=KEY | Bearer TOKEN |
            PATCH  | PATH                | Bearer TOKEN | KEY
            PATCH  | PATH                | Bearer TOKEN | {"plan":"pro"}
            DELETE | PATH/ban            | Bearer TOKEN |
            DELETE | PATH                | Bearer TOKEN |
            POST   | PATH/rotation       | Bearer TOKEN | {"graceSeconds":0}
            GET    | /v1/pets            | Bearer KEY |
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
            send("GET", "/v1/pets", "Bearer " + refused.text(), "");
        }
        String type = "text/" + key.text();
        send("POST", "/v1/pets", "Bearer " + key.text(), "{}", "Accept", type, "Content-Type", type);
        for (String line : REQUESTS.lines().toList()) {
            String[] parts = line.replace("LONG", "KEY".repeat(2000))
                    .replace("KEY", rotated.text())
                    .replace("PATH", Operator.path(key))
                    .replace("TOKEN", Operator.TOKEN)
                    .replace("OWNER", URLEncoder.encode(OWNER, StandardCharsets.UTF_8))
                    .split("\\|", 4);
            send(parts[0].strip(), parts[1].strip(), parts[2].strip(), parts[3].strip());
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

        assertAudited(
                key,
                "issueKey 201, getKey 200, lookupKey 200, changeKey 200, changeKey 400, rotateKey 201,"
                        + " liftBan 204, revokeKey 204, changeKey 409");
    }

    @Test
    void audit_ofTheConsole_isThatOfTheApi() throws IOException {
        Map<String, String> typed =
                Map.of("owner", OWNER, "plan", "enterprise", "limits.perMinute", "1", "limits.perDay", "50");
        RestAssured.port = replica.port();
        Visitor visitor = Visitor.signIn();
        String text = Visitor.secret(visitor.submit("/console/issue", typed));
        TestKey key = new TestKey(
                TestDatabase.number("select key_id from api_key_secret where hash = sha256('" + text + "')"), text);
        List.of(200, 429, 429).forEach(status -> assertEquals(status, replica.status(key)));
        String path = "/console/keys/" + key.id();
        visitor.submit(path + "/change", typed);
        visitor.submit(path + "/rotation", Map.of("graceSeconds", "60"));
        visitor.send(path + "/ban/lift", visitor.hiddenFields(path, path + "/ban/lift"), Map.of());
        visitor.submit(path + "/revocation", Map.of());

        assertAudited(
                key,
                "issueKey 201, showForm 200, changeKey 200, showForm 200, rotateKey 201, getKey 200, liftBan 204,"
                        + " showForm 200, revokeKey 204");
        String log = replica.log();
        Stream.of(Operator.TOKEN, visitor.cookie(), text).forEach(secret -> assertFalse(log.contains(secret)));
    }

    /** Checks the lines of a key, which are written after the response was sent. That of a refused request names no owner. */
    private void assertAudited(TestKey key, String actionsAndOutcomes) {
        List<String> expected = Stream.of(actionsAndOutcomes.split(", "))
                .map(each -> each.split(" "))
                .map(each -> "action=%s key=%d owner=%s outcome=%s operator=admin address=127.0.0.1"
                        .formatted(each[0], key.id(), each[1].startsWith("4") ? "" : OWNER, each[1]))
                .sorted()
                .toList();
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        expected,
                        replica.audits(" key=" + key.id() + " owner=").stream()
                                .sorted()
                                .toList()));
    }

    @Test
    void audit_ofARequestForNoKey_containsNothingOfItsPath() throws IOException {
        int before = replica.audits("").size();
        replica.operate("DELETE", "/admin/keys/1%0Aaudit%20action=forged", "");
        replica.operate("DELETE", "/admin/keys/1%22%20owner=forged", "");
        Awaitility.await().until(() -> replica.audits("").size() == before + 2);
        assertFalse(replica.log().contains("forged"), replica.log());
    }

    private void send(String method, String path, String authorization, String body, String... headers) {
        String[] all = headers.length == 0 ? new String[] {"Content-Type", "application/json"} : headers;
        responses.add(replica.send(HttpRequest.newBuilder(replica.uri(path))
                        .header("Authorization", authorization)
                        .headers(all)
                        .method(method, BodyPublishers.ofString(body)))
                .join());
    }

    private TestKey issue() {
        return replica.issue("{\"owner\":\"" + QUOTED_OWNER + "\",\"plan\":\"free\"}");
    }
}
