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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every refusal and every operator's action, on a replica of its own: afterwards neither its log nor its metrics contain a key, a secret or
 * the operators' token, nor does any response, except those that issue a secret.
 */
class SecretsStayHiddenIT {
    private static final String OWNER = "O\"Neil \\ Söhne";
    private static final String QUOTED_OWNER = "O\\\"Neil \\\\ Söhne";

    @AutoClose
    private static Replica replica;

    private final Set<Integer> statuses = new HashSet<>();
    private final List<String> responses = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of("animalstore.admin.token", Operator.TOKEN));
    }

    @Test
    void secrets_afterEveryRefusalAndAction_appearNowhere() throws IOException, InterruptedException {
        TestKey key = issue();
        TestKey rotated = rotate(key, 600);
        driveRefusalsOfTheGate(key);
        driveRefusalsOfTheApi(rotated);
        driveActions(rotated);
        assertTrue(
                statuses.containsAll(Set.of(200, 201, 204, 400, 401, 404, 405, 406, 409, 413, 415, 429)),
                () -> "got " + statuses);

        String metrics =
                replica.send(HttpRequest.newBuilder(replica.uri("/q/metrics"))).body();
        assertTrue(metrics.contains("animalstore_operator_actions_total{action=\"issueKey\""), metrics);
        String log = replica.log().text();
        assertTrue(log.contains("audit action=issueKey"), log);
        for (TestKey secret : List.of(key, rotated)) {
            // A part of a secret must not appear either, except the hint.
            String inner = secret.text().substring("ask_test_".length(), "ask_test_".length() + 20);
            assertNowhere(inner, log, metrics);
        }
        assertNowhere(Operator.TOKEN, log, metrics);
    }

    @Test
    void audit_ofEveryAction_isOneLineWithKeyOwnerAndOutcome() throws IOException, InterruptedException {
        TestKey key = issue();
        String path = Operator.path(key);
        replica.operate("GET", path, "");
        replica.operate("PATCH", path, "{\"plan\":\"pro\"}");
        replica.operate("PATCH", path, "{\"plan\":\"gold\"}");
        replica.operate("POST", path + "/rotation", "{\"graceSeconds\":60}");
        replica.operate("DELETE", path + "/ban", "");
        replica.operate("DELETE", path, "");
        replica.operate("PATCH", path, "{\"plan\":\"free\"}");

        String suffix = " key=" + key.id() + " owner=\"" + QUOTED_OWNER + "\" outcome=";
        String unknownOwner = " key=" + key.id() + " owner=\"\" outcome=";
        assertEquals(
                List.of(
                        "audit action=issueKey" + suffix + "201",
                        "audit action=getKey" + suffix + "200",
                        "audit action=changeKey" + suffix + "200",
                        "audit action=changeKey" + unknownOwner + "400",
                        "audit action=rotateKey" + suffix + "201",
                        "audit action=liftBan" + suffix + "204",
                        "audit action=revokeKey" + suffix + "204",
                        "audit action=changeKey" + unknownOwner + "409"),
                auditLines(" key=" + key.id() + " "));
    }

    @Test
    void audit_ofARequestForNoKey_containsNothingOfItsPath() throws IOException, InterruptedException {
        int before = auditLines("").size();
        replica.operate("DELETE", "/admin/keys/1%0Aaudit%20action=forged", "");
        replica.operate("DELETE", "/admin/keys/1%22%20owner=forged", "");
        List<String> lines = auditLines("");
        assertEquals(before + 2, lines.size());
        assertFalse(replica.log().text().contains("forged"), replica.log().text());
    }

    private void driveRefusalsOfTheGate(TestKey key) throws IOException, InterruptedException {
        String text = key.text();
        get("/v1/pets", "Basic " + text);
        get("/v1/pets", text);
        get("/v1/pets", "Bearer " + text + "x");
        get("/v1/pets", "Bearer " + text.substring(0, text.length() - 1) + "!");
        get("/v1/pets", "Bearer " + text.replace("ask_test_", "ask_live_"));
        get("/v1/pets", "Bearer " + Operator.TOKEN);
        for (TestKey refused : List.of(issue().update("revoked_at = now()"), issue().update("expires_at = now()"))) {
            get("/v1/pets", "Bearer " + refused.text());
        }
        TestKey small = rotate(TestKey.of(1, 1), 0);
        for (int i = 0; i < 4; i++) {
            get("/v1/pets", "Bearer " + small.text());
        }
    }

    private void driveRefusalsOfTheApi(TestKey key) throws IOException, InterruptedException {
        String text = key.text();
        String bearer = "Bearer " + text;
        get("/v1/" + text, bearer);
        get("/v1/pets/" + text, bearer);
        get("/v1/pets?cursor=" + text, bearer);
        get("/v1/pets?status=" + text, bearer);
        get("/v1/pets?limit=" + text, bearer);
        send("PUT", "/v1/pets", bearer, "application/json", text);
        send("POST", "/v1/pets", bearer, "application/json", text);
        send("POST", "/v1/pets", bearer, "application/json", "{\"name\":7,\"categoryId\":\"" + text + "\"}");
        send("POST", "/v1/pets", bearer, "text/" + text, "{}");
        send("POST", "/v1/pets", bearer, "application/json", text.repeat(2000));
        note(replica.send(HttpRequest.newBuilder(replica.uri("/v1/pets"))
                .header("Authorization", bearer)
                .header("Accept", "text/" + text)));
    }

    private void driveActions(TestKey key) throws IOException, InterruptedException {
        String text = key.text();
        String path = Operator.path(key);
        String admin = "Bearer " + Operator.TOKEN;
        get("/admin/keys", "Bearer " + text);
        get("/admin/keys", "Bearer " + Operator.TOKEN + "x");
        get("/admin/keys?cursor=" + text, admin);
        get("/admin/keys?owner=" + URLEncoder.encode(OWNER, StandardCharsets.UTF_8), admin);
        get("/admin/keys/" + text, admin);
        get("/admin/" + text, admin);
        get(path, admin);
        send("POST", "/admin/keys", admin, "application/json", "{\"owner\":\"a\",\"plan\":\"" + text + "\"}");
        send("PATCH", path, admin, "application/json", text);
        send("PATCH", path, admin, "application/json", "{\"plan\":\"pro\"}");
        send("DELETE", path + "/ban", admin, "application/json", "");
        send("DELETE", path, admin, "application/json", "");
        send("POST", path + "/rotation", admin, "application/json", "{\"graceSeconds\":0}");
        get("/v1/pets", "Bearer " + text);
    }

    private void get(String path, String authorization) throws IOException, InterruptedException {
        send("GET", path, authorization, "application/json", "");
    }

    private void send(String method, String path, String authorization, String type, String body)
            throws IOException, InterruptedException {
        note(replica.send(HttpRequest.newBuilder(replica.uri(path))
                .header("Authorization", authorization)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))));
    }

    private void note(HttpResponse<String> response) {
        statuses.add(response.statusCode());
        responses.add(response.body());
    }

    private void assertNowhere(String secret, String log, String metrics) {
        assertFalse(log.contains(secret), "in the log");
        assertFalse(metrics.contains(secret), "in the metrics");
        assertEquals(
                List.of(),
                responses.stream().filter(body -> body.contains(secret)).toList());
    }

    private TestKey issue() throws IOException, InterruptedException {
        String body = "{\"owner\":\"" + QUOTED_OWNER + "\",\"plan\":\"free\"}";
        HttpResponse<String> response = replica.operate("POST", "/admin/keys", body);
        statuses.add(response.statusCode());
        JsonPath issued = JsonPath.from(response.body());
        assertEquals(OWNER, issued.getString("owner"));
        return new TestKey(issued.getLong("id"), issued.getString("key"));
    }

    private TestKey rotate(TestKey key, int grace) throws IOException, InterruptedException {
        HttpResponse<String> response =
                replica.operate("POST", Operator.path(key) + "/rotation", "{\"graceSeconds\":" + grace + "}");
        return new TestKey(key.id(), JsonPath.from(response.body()).getString("key"));
    }

    /** The audit lines that contain a text. */
    private static List<String> auditLines(String text) throws IOException {
        return replica.log().events().stream()
                .map(event -> event.get("message").asText())
                .filter(message -> message.startsWith("audit action=") && message.contains(text))
                .toList();
    }
}
