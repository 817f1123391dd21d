package dev.animalstore.operator.api;

import static dev.animalstore.fixture.Operator.refusal;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.key.BearerKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Issuing, showing, finding, listing, changing and revoking keys. */
@QuarkusTest
public class AdminResourceTest {
    private static final String TIME = "\"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{3,6})?Z\"";

    @Test
    void issue_onAPlanWithLimits_returnsTheWholeResourceAndTheKeyOnce() {
        ValidatableResponse issued = Operator.given("{\"owner\":\"Acme \\\"Pets\\\" Ltd\",\"plan\":\"free\"}")
                .post("/admin/keys")
                .then()
                .statusCode(201)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .header("Location", startsWith("http://localhost:"))
                .header("X-RateLimit-Limit", nullValue());
        TestKey key = new TestKey(
                issued.extract().jsonPath().getLong("id"), issued.extract().path("key"));
        issued.header("Location", endsWith("/admin/keys/" + key.id()));
        issued.body(matchesPattern(resource(key.hint()).replaceFirst("}$", ",\"key\":\"ask_test_[0-9A-Za-z]{38}\"}")));
        Operator.show(key)
                .statusCode(200)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .body(matchesPattern(resource(key.hint())));
    }

    @Test
    void issue_forEnterprise_bindsTheKeyToItsOwnLimits() {
        TestKey key = Operator.issue("""
                {"owner":"Big","plan":"enterprise","limits":{"perMinute":2147483647,"perDay":2147483647}}""");
        request(key)
                .statusCode(404)
                .header("RateLimit-Policy", "\"minute\";q=2147483647;w=60, \"day\";q=2147483647;w=86400");
    }

    /** The database stores microseconds. */
    @ParameterizedTest
    @CsvSource(nullValues = "null", textBlock = """
            "9999-12-31T23:59:59.999999Z",         9999-12-31T23:59:59.999999Z
            "2090-01-01T01:00:00.1234567+01:00",   2090-01-01T00:00:00.123456Z
            null,                                  null
            """, quoteCharacter = '`')
    void issue_withAnExpiry_returnsWhatIsStored(String sent, String stored) {
        ValidatableResponse issued = Operator.given("{\"owner\":\"a\",\"plan\":\"pro\",\"expiresAt\":" + sent + "}")
                .post("/admin/keys")
                .then()
                .statusCode(201)
                .body("expiresAt", equalTo(stored));
        Operator.given()
                .get(issued.extract().header("Location"))
                .then()
                .body("$", hasKey("expiresAt"))
                .body("expiresAt", equalTo(stored));
    }

    @Test
    void get_always_showsTheUsageAndChargesNothing() {
        TestKey key = TestKey.of("free");
        request(key).header("X-RateLimit-Remaining", "59");
        for (int i = 0; i < 2; i++) {
            Operator.show(key)
                    .body("usage.minute.remaining", equalTo(59))
                    .body("usage.day.remaining", equalTo(999))
                    .body("usage.day.resetsAt", endsWith("T00:00:00Z"));
        }
        request(key).header("X-RateLimit-Remaining", "58");
    }

    @ParameterizedTest
    @ValueSource(strings = {"owner = 'current'", "revoked_at = now()", "expires_at = now()"})
    void lookup_ofASecret_returnsItsKey(String state) {
        TestKey old = TestKey.of("free");
        TestKey current = Operator.rotated(old, 60).update(state);
        for (TestKey secret : List.of(old, current)) {
            ValidatableResponse found = Operator.lookUp(secret.text())
                    .contentType("application/json")
                    .header("Cache-Control", "no-store")
                    .body("usage.minute.remaining", equalTo(60));
            assertEquals(Operator.stored(old), Operator.stored(found));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 60})
    void lookup_ofASecretThatWasRotatedAway_saysSinceWhenItDoesNotWork(int graceSeconds) {
        TestKey old = TestKey.of("free");
        TestKey current = Operator.rotated(old, graceSeconds);
        if (graceSeconds > 0) {
            Operator.lookUp(old.text()).body("$", not(hasKey("secretEndedAt")));
            old.updateSecret("expires_at = date_trunc('second', now())");
        }
        Operator.lookUp(old.text())
                .statusCode(200)
                .body("id", equalTo((int) old.id()))
                .body("secretEndedAt", matchesPattern(TIME.replace("\"", "")))
                .body("secrets.hint", contains(current.hint()));
        Operator.lookUp(current.text()).body("$", not(hasKey("secretEndedAt")));
    }

    @Test
    void lookup_ofASecretOfNoKey_isNotFound() {
        String unknown = BearerKey.of("ask_test_", "x".repeat(32)).reveal();
        Operator.lookUp(unknown).spec(refusal(404, "not_found", equalTo("No such key.")));
    }

    @Test
    void owner_inAnotherNormalForm_isStoredInFormC() {
        TestKey key = Operator.issue("{\"owner\":\"Zoe\u0308\",\"plan\":\"free\"}");
        Operator.show(key).body("owner", equalTo("Zo\u00eb"));
        Operator.change(key, "{\"owner\":\"e\u0301\"}").statusCode(200).body("owner", equalTo("\u00e9"));
    }

    @Test
    void list_byOwnerPlanStateAndOrder_hasThoseThatMatch() {
        String owner = "Zoë.Łódź+ΟΔΟΣ-ß日" + UUID.randomUUID();
        TestKey free = issueFor(owner);
        TestKey pro = issueFor(owner).update("plan = 'pro', suspended_at = now()");
        for (String part : List.of(owner.substring(2), "zOE\u0308.ŁÓDŹ+οδος-" + owner.substring(14))) {
            assertEquals(List.of(free.id(), pro.id()), found(Map.of("owner", part)));
        }
        assertEquals(List.of(), found(Map.of("owner", owner.replace('.', 'x'))));
        assertEquals(List.of(pro.id(), free.id()), found(Map.of("owner", owner, "order", "newest")));
        assertEquals(List.of(pro.id()), found(Map.of("owner", owner, "plan", "pro")));
        assertEquals(List.of(pro.id()), found(Map.of("owner", owner, "state", "suspended")));
        assertEquals(List.of(free.id()), found(Map.of("owner", owner, "state", "active")));
        assertEquals(List.of(), found(Map.of("owner", owner, "state", "banned")));
    }

    private static List<Long> found(Map<String, String> search) {
        return Operator.given()
                .queryParams(search)
                .get("/admin/keys")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getList("id", Long.class);
    }

    @Test
    void list_ofOneOwner_leadsFromPageToPageOfThatOwner() {
        String owner = "Söhne & \"Co\" +1 " + UUID.randomUUID();
        TestKey[] keys = {issueFor(owner), issueFor(owner), issueFor(owner)};
        issueFor("another");

        String next = Operator.given()
                .queryParam("owner", owner)
                .queryParam("limit", 2)
                .get("/admin/keys")
                .then()
                .statusCode(200)
                .header("Cache-Control", "no-store")
                .header("Link", matchesPattern("<http://localhost:[0-9]+/admin/keys\\?limit=2&[^<>]+>; rel=\"next\""))
                .body("id", contains((int) keys[0].id(), (int) keys[1].id()))
                .body("owner", contains(owner, owner))
                .body("key", contains(nullValue(), nullValue()))
                .body("[0].size()", equalTo(Operator.show(keys[0]).extract().path("size()")))
                .extract()
                .header("Link")
                .replaceFirst("<(.*)>.*", "$1");
        Operator.given()
                .urlEncodingEnabled(false)
                .get(next)
                .then()
                .statusCode(200)
                .header("Link", nullValue())
                .body("id", contains((int) keys[2].id()));
    }

    @Test
    void change_ofThePlan_takesEffectFromTheNextRequestAndKeepsTheUsage() {
        TestKey key = TestKey.of("free");
        request(key).header("X-RateLimit-Limit", "60");
        Operator.change(key, "{\"plan\":\"pro\"}")
                .statusCode(200)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .body("plan", equalTo("pro"))
                .body("limits.perMinute", equalTo(300))
                .body("usage.minute.limit", equalTo(300))
                .body("usage.minute.remaining", equalTo(299))
                .body("$", not(hasKey("key")));
        request(key).statusCode(404).headers("X-RateLimit-Limit", "300", "X-RateLimit-Remaining", "298");
    }

    @Test
    void change_toAPlanWithLimits_dropsTheLimitsOfTheKey() {
        TestKey key = TestKey.of(7, 70);
        Operator.change(key, "{\"plan\":\"business\"}").statusCode(200).body("limits.perDay", equalTo(100_000));
    }

    @Test
    void change_ofSomeMembers_keepsTheOthers() {
        TestKey key = TestKey.of(7, 70);
        var before = Operator.stored(key);
        Operator.change(key, "{}").statusCode(200);
        assertEquals(before, Operator.stored(key));
        Operator.change(key, "{\"owner\":\"new\"}").statusCode(200);
        before.put("owner", "new");
        assertEquals(before, Operator.stored(key));
    }

    /** Forms that show the version stay valid. */
    @Test
    void change_ofNothing_keepsTheVersion() {
        TestKey key = TestKey.of("free");
        String version = "select version from api_key where id = " + key.id();
        long before = TestDatabase.number(version);
        for (String change : new String[] {"{}", "{\"plan\":\"free\"}"}) {
            Operator.given(change).patch(Operator.path(key)).then().statusCode(200);
        }
        assertEquals(before, TestDatabase.number(version));
        Operator.given().delete(Operator.path(key)).then().statusCode(204);
        long revoked = TestDatabase.number(version);
        Operator.given().delete(Operator.path(key)).then().statusCode(204);
        assertEquals(revoked, TestDatabase.number(version));
    }

    @Test
    void change_ofTheExpiry_revivesAnExpiredKeyFromTheNextRequest() {
        TestKey key = TestKey.of("free").update("expires_at = now() - interval '1 second'");
        request(key).statusCode(401);
        Operator.change(key, "{\"expiresAt\":null}").statusCode(200).body("expiresAt", nullValue());
        request(key).statusCode(404).header("X-RateLimit-Remaining", "59");
    }

    @Test
    void suspension_refusesFromTheNextRequestAndItsEndAdmitsWithTheSameQuota() {
        TestKey key = TestKey.of("free");
        request(key).statusCode(404);
        Operator.change(key, "{\"suspended\":true}")
                .statusCode(200)
                .body("suspendedAt", matchesPattern(TIME.replace("\"", "")));
        request(key).statusCode(401).body("code", equalTo("invalid_api_key"));

        Map<String, Object> suspended = Operator.stored(key);
        Operator.change(key, "{\"suspended\":true}").statusCode(200);
        assertEquals(suspended, Operator.stored(key));
        Operator.change(key, "{\"plan\":\"pro\"}").statusCode(200).body("suspendedAt", notNullValue());
        TestKey rotated = Operator.rotated(key, 60);
        request(rotated).statusCode(401);

        Operator.change(key, "{\"suspended\":false}").statusCode(200).body("suspendedAt", nullValue());
        request(rotated).statusCode(404).header("X-RateLimit-Remaining", "298");
    }

    @Test
    void suspension_ofABannedKey_keepsItsBan() {
        TestKey key = TestKey.of(1, 100);
        Awaitility.await().until(() -> request(key).extract().path("code"), "key_banned"::equals);
        Operator.change(key, "{\"suspended\":true}").statusCode(200).body("ban.level", equalTo(1));
        request(key).statusCode(401);
        Operator.change(key, "{\"suspended\":false}").statusCode(200);
        request(key).statusCode(429).body("code", equalTo("key_banned"));
    }

    @Test
    void revoke_anyKey_refusesFromTheNextRequestForGood() {
        TestKey key = TestKey.of("free");
        request(key).statusCode(404);
        Operator.revoke(key)
                .statusCode(204)
                .headers("Cache-Control", "no-store", "Content-Type", nullValue())
                .body(emptyString());
        request(key).statusCode(401).body("code", equalTo("invalid_api_key"));

        Object revokedAt = Operator.stored(key).get("revokedAt");
        Operator.revoke(key).statusCode(204);
        assertEquals(revokedAt, Operator.stored(key).get("revokedAt"));
        for (String change : List.of(
                "{}",
                "{\"expiresAt\":null}",
                "{\"suspended\":true}",
                "{\"owner\":\"x\",\"plan\":\"pro\"}",
                "{\"owner\":\"x\",\"suspended\":false}")) {
            Operator.change(key, change).spec(refusal(409, "conflict", equalTo("The key is permanently revoked.")));
        }
    }

    private static TestKey issueFor(String owner) {
        return Operator.issue("{\"owner\":\"" + owner.replace("\"", "\\\"") + "\",\"plan\":\"free\"}");
    }

    /** An unused key of that owner on the plan free, as a pattern for the whole body. */
    private static String resource(String hint) {
        return """
                {"id":[1-9][0-9]*,"owner":"Acme \\\\"Pets\\\\" Ltd","plan":"free","limits":{"perMinute":60,"perDay":1000},\
                "createdAt":TIME,"expiresAt":null,"suspendedAt":null,"revokedAt":null,"lastUsedAt":null,\
                "secrets":\\[{"hint":"HINT","createdAt":TIME,"expiresAt":null}\\],\
                "usage":{"minute":{"limit":60,"remaining":60,"resetsAt":TIME},\
                "day":{"limit":1000,"remaining":1000,"resetsAt":TIME}}}""".replace("{", "\\{").replace("TIME", TIME).replace("HINT", hint);
    }

    /** A request that is charged to a key, and that the package and the tests' application serve alike. */
    private static ValidatableResponse request(TestKey key) {
        return key.given().get("/v1/nothing").then();
    }
}
