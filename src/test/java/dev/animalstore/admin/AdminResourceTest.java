package dev.animalstore.admin;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Issuing, showing and listing keys. */
@QuarkusTest
class AdminResourceTest {
    private static final String TIME = "\"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{3,6})?Z\"";

    @Test
    void issue_onAPlanWithLimits_returnsTheWholeResourceAndTheKey() {
        ValidatableResponse issued = Operator.given("{\"owner\":\"Acme \\\"Pets\\\" Ltd\",\"plan\":\"free\"}")
                .post("/admin/keys")
                .then()
                .statusCode(201)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .header("Location", startsWith("http://localhost:"))
                .header("X-RateLimit-Limit", nullValue());
        issued.header("Location", endsWith("/admin/keys/" + issued.extract().path("id")));
        String text = issued.extract().path("key");
        issued.body(matchesPattern(resource("Acme \\\\\"Pets\\\\\" Ltd", hint(text))
                .replaceFirst("}$", ",\"key\":\"ask_test_[0-9A-Za-z]{38}\"}")));
    }

    @Test
    void issue_forEnterprise_bindsTheKeyToItsOwnLimits() {
        TestKey key = Operator.issue("""
                {"owner":"Big","plan":"enterprise","limits":{"perMinute":2147483647,"perDay":2147483647}}""");
        key.given()
                .get("/v1/pets")
                .then()
                .statusCode(200)
                .header("X-RateLimit-Limit", "2147483647")
                .header("RateLimit-Policy", "\"minute\";q=2147483647;w=60, \"day\";q=2147483647;w=86400");
    }

    @Test
    void issue_withTheLastPossibleExpiry_returnsAndStoresIt() {
        TestKey key =
                Operator.issue("{\"owner\":\"a\",\"plan\":\"pro\",\"expiresAt\":\"9999-12-31T23:59:59.999999Z\"}");
        Operator.show(key).body("expiresAt", equalTo("9999-12-31T23:59:59.999999Z"));
        key.given().get("/v1/pets").then().statusCode(200);
    }

    @Test
    void issue_withAnExpiryFinerThanTheDatabaseStores_returnsWhatIsStored() {
        ValidatableResponse issued = Operator.given(
                        "{\"owner\":\"a\",\"plan\":\"pro\",\"expiresAt\":\"2090-01-01T01:00:00.1234567+01:00\"}")
                .post("/admin/keys")
                .then()
                .statusCode(201)
                .body("expiresAt", equalTo("2090-01-01T00:00:00.123456Z"));
        Operator.given()
                .get(issued.extract().header("Location"))
                .then()
                .body("expiresAt", equalTo("2090-01-01T00:00:00.123456Z"));
    }

    @Test
    void issue_withExpiryNull_neverExpires() {
        TestKey key = Operator.issue("{\"owner\":\"a\",\"plan\":\"pro\",\"expiresAt\":null}");
        Operator.show(key).statusCode(200).body("$", hasKey("expiresAt")).body("expiresAt", nullValue());
    }

    @Test
    void get_ofANewKey_showsAllExceptTheKey() {
        TestKey key = Operator.issue("{\"owner\":\"Acme\",\"plan\":\"free\"}");
        Operator.show(key)
                .statusCode(200)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .body(matchesPattern(resource("Acme", hint(key.text()))));
    }

    @Test
    void get_always_showsTheUsageAndChargesNothing() {
        TestKey key = TestKey.of("free");
        key.given().get("/v1/pets").then().header("X-RateLimit-Remaining", "59");
        for (int i = 0; i < 2; i++) {
            Operator.show(key)
                    .body("usage.minute.remaining", equalTo(59))
                    .body("usage.day.remaining", equalTo(999))
                    .body("usage.day.resetsAt", endsWith("T00:00:00Z"));
        }
        key.given().get("/v1/pets").then().header("X-RateLimit-Remaining", "58");
    }

    @Test
    void list_ofOneOwner_leadsFromPageToPage() {
        String owner = "Söhne & \"Co\" +1 " + UUID.randomUUID();
        TestKey[] keys = {issueFor(owner), issueFor(owner), issueFor(owner)};
        issueFor("another");

        ValidatableResponse first = Operator.given()
                .queryParam("owner", owner)
                .queryParam("limit", 2)
                .get("/admin/keys")
                .then()
                .statusCode(200)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .header("Link", matchesPattern("<http://localhost:[0-9]+/admin/keys\\?limit=2&[^<>]+>; rel=\"next\""))
                .body("id", contains((int) keys[0].id(), (int) keys[1].id()))
                .body("owner", contains(owner, owner))
                .body("key", contains(nullValue(), nullValue()));
        assertEquals(
                Operator.stored(keys[0]).keySet().size() + 1,
                first.extract().jsonPath().getMap("[0]").size());
        String next = first.extract().header("Link").replaceFirst("<(.*)>.*", "$1");
        Operator.given()
                .urlEncodingEnabled(false)
                .get(next)
                .then()
                .statusCode(200)
                .header("Link", nullValue())
                .body("id", contains((int) keys[2].id()));
    }

    @Test
    void list_ofAnUnknownOwner_isEmpty() {
        Operator.given()
                .get("/admin/keys?owner=" + UUID.randomUUID())
                .then()
                .statusCode(200)
                .header("Link", nullValue())
                .body("size()", equalTo(0));
    }

    @Test
    void actions_always_areCounted() {
        TestKey key = TestKey.of("free");
        Operator.revoke(key).statusCode(204);
        RestAssured.get("/q/metrics")
                .then()
                .body(containsString("animalstore_operator_actions_total{action=\"revokeKey\",outcome=\"204\"}"));
    }

    private static TestKey issueFor(String owner) {
        return Operator.issue("{\"owner\":\"" + owner.replace("\"", "\\\"") + "\",\"plan\":\"free\"}");
    }

    private static String hint(String key) {
        return key.substring(key.length() - 10, key.length() - 6);
    }

    /** An unused key on the plan free, as a pattern for the whole body. */
    private static String resource(String owner, String hint) {
        return """
                {"id":[1-9][0-9]*,"owner":"OWNER","plan":"free","limits":{"perMinute":60,"perDay":1000},\
                "createdAt":TIME,"expiresAt":null,"revokedAt":null,"lastUsedAt":null,\
                "secrets":\\[{"hint":"HINT","createdAt":TIME,"expiresAt":null}\\],\
                "usage":{"minute":{"limit":60,"remaining":60,"resetsAt":TIME},\
                "day":{"limit":1000,"remaining":1000,"resetsAt":TIME}}}""".replace("{", "\\{")
                .replace("TIME", TIME.replace("\\", "\\"))
                .replace("OWNER", owner)
                .replace("HINT", hint);
    }
}
