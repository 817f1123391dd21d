package dev.animalstore.replicas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import dev.animalstore.process.Replica;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The console of the package: its sessions on several replicas and behind a proxy, its audit, and hostile forms. */
class ConsoleReplicasIT {
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.shared(Map.of(
                "quarkus.http.proxy.proxy-address-forwarding", "true",
                "quarkus.http.proxy.trusted-proxies", "127.0.0.1"));
    }

    @Test
    void session_ofOneReplica_isValidOnAnotherUntilTheTokenChanges() throws IOException {
        Replica other = Replica.pair().get(1);
        try (Replica changed = Replica.start(Map.of("animalstore.admin.token", Operator.TOKEN + "-2"))) {
            Visitor visitor = signIn();
            assertEquals(
                    200, visitor.given().port(replica.port()).get("/console").statusCode());
            assertEquals(200, visitor.given().port(other.port()).get("/console").statusCode());
            assertEquals(
                    303, visitor.given().port(changed.port()).get("/console").statusCode());
        }
    }

    @Test
    void cookie_behindTls_isSentOverTlsOnly() {
        RestAssured.port = replica.port();
        Response response = Visitor.fromOwnPage()
                .header("X-Forwarded-Proto", "https")
                .formParam("token", Operator.TOKEN)
                .post("/console/sign-in");
        assertEquals(303, response.statusCode());
        assertEquals("/console", response.header("Location"));
        String given = response.header("Set-Cookie");
        assertTrue(given.startsWith("__Secure-console=") && given.contains("; Secure;"), given);
        String cookie = given.substring(0, given.indexOf(';'));
        assertEquals(
                303,
                Visitor.fromOwnPage().header("Cookie", cookie).get("/console").statusCode());
        assertEquals(
                200,
                Visitor.fromOwnPage()
                        .headers("Cookie", cookie, "X-Forwarded-Proto", "https")
                        .get("/console")
                        .statusCode());
    }

    @Test
    void audit_ofEachAction_namesTheOperationOfTheApi() throws IOException {
        String owner = "Audited " + UUID.randomUUID();
        Map<String, String> typed =
                Map.of("owner", owner, "plan", "enterprise", "limits.perMinute", "1", "limits.perDay", "50");
        Visitor visitor = signIn();
        String text = Visitor.secret(visitor.submit("/console/issue", typed));
        long id = TestDatabase.query("select id from api_key where owner = '" + owner + "'")
                .get(0);
        for (int i = 0; i < 3; i++) {
            replica.get("/v1/pets", new TestKey(id, text)).join();
        }
        String path = "/console/keys/" + id;
        visitor.submit(path + "/change", typed);
        visitor.submit(path + "/rotation", Map.of("graceSeconds", "60"));
        visitor.send(path + "/ban/lift", visitor.hiddenFields(path, path + "/ban/lift"), Map.of());
        visitor.submit(path + "/revocation", Map.of());

        String suffix = " key=" + id + " owner=\"" + owner + "\" outcome=";
        List<String> lines = replica.events().stream()
                .map(event -> event.get("message").asText())
                .filter(message -> message.startsWith("audit action=") && message.contains(owner))
                .filter(message -> !message.contains("=show") && !message.contains("=getKey"))
                .toList();
        assertEquals(
                List.of(
                        "audit action=issueKey" + suffix + "201",
                        "audit action=changeKey" + suffix + "200",
                        "audit action=rotateKey" + suffix + "201",
                        "audit action=liftBan" + suffix + "204",
                        "audit action=revokeKey" + suffix + "204"),
                lines);
        assertFalse(replica.log().contains(Operator.TOKEN));
        assertFalse(replica.log().contains(visitor.cookie()));
        assertFalse(replica.log().contains(text));
    }

    /** Each form is sent with a session, so that it is processed as far as possible. */
    @Test
    void forms_madeFromValidOnes_areAcceptedOrRefusedAsPages() throws Exception {
        Visitor visitor = signIn();
        String form = visitor.hiddenFields("/console/issue", "/console/issue").get("form");
        String valid = "form=" + form
                + "&owner=Fuzz&plan=enterprise&limits.perMinute=5&limits.perDay=60&expiresAt=2999-01-01T00%3A00";
        List<String> seeds = List.of(valid, valid + "&x=%F0%9F%98%80", "form=" + form + "&graceSeconds=60&version=1");
        long first = Fuzz.firstNumber();
        for (int i = 0; i < 3000; i++) {
            String path = i % 3 == 0 ? "/console/keys/1/rotation" : "/console/issue";
            HttpResponse<String> response = replica.send(HttpRequest.newBuilder(replica.uri(path))
                    .headers("Cookie", "console=" + visitor.cookie(), "Sec-Fetch-Site", "same-origin")
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(Fuzz.text(seeds, first + i))));
            String failure = "-Dfuzz.seed=" + (first + i) + ": " + response.statusCode();
            assertTrue(response.statusCode() < 500, failure);
            assertTrue(response.statusCode() == 303 || response.body().contains("</html>"), failure);
            assertFalse(response.body().contains("<script>"), failure);
        }
        assertFalse(replica.log().contains("Defect"));
    }

    private static Visitor signIn() {
        RestAssured.port = replica.port();
        return Visitor.signIn();
    }
}
