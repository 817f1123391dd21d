package dev.animalstore.metering.gate;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.netty.handler.codec.DateFormatter;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What customers see of their own key, at no cost to it. */
@QuarkusTest
class OwnKeyResourceTest {
    private static final int BOUND = 60;

    @Test
    void key_isShownWithItsQuotaByOneCommand() {
        TestKey key = TestKey.of("free").update("expires_at = '2999-01-02T03:04:05.678901Z'");
        key.list().statusCode(200).header("X-RateLimit-Remaining", "59");
        Map<String, String> before = RedisState.read(key);

        List<String> commands = RedisState.commands(
                key,
                () -> show(key)
                        .statusCode(200)
                        .spec(metered())
                        .headers("X-RateLimit-Remaining", "59", "Cache-Control", "private", "Retry-After", nullValue())
                        .body("id", equalTo((int) key.id()), "plan", equalTo("free"))
                        .body("limits", equalTo(Map.of("perMinute", 60, "perDay", 1000)))
                        .body("expiresAt", equalTo("2999-01-02T03:04:05.678901Z"))
                        .body("secret", equalTo(Map.of("hint", key.hint())))
                        .body("usage.minute.limit", equalTo(60), "usage.minute.remaining", equalTo(59))
                        .body("usage.day.limit", equalTo(1000), "usage.day.remaining", equalTo(999))
                        .body("usage.day.resetsAt", matchesPattern("[0-9-]{10}T00:00:00Z"))
                        .body("ban", nullValue()));

        assertEquals(List.of("evalsha"), commands);
        assertEquals(before, RedisState.read(key));
    }

    @Test
    void key_thatNeverEnds_hasNoEnd() {
        TestKey key = TestKey.of(7, 8);

        show(key)
                .statusCode(200)
                .body("limits", equalTo(Map.of("perMinute", 7, "perDay", 8)))
                .body("keySet()", equalTo(Set.of("id", "plan", "limits", "secret", "usage")));
    }

    @Test
    void key_thatIsExhausted_isShownWithoutAStrike() {
        TestKey key = TestKey.of(1, 10);
        key.list().statusCode(200);
        key.list().statusCode(429);
        Map<String, String> before = RedisState.read(key);

        for (int i = 0; i < 5; i++) {
            show(key)
                    .statusCode(200)
                    .headers("X-RateLimit-Remaining", "0", "Retry-After", nullValue())
                    .body("usage.minute.remaining", equalTo(0), "ban", nullValue());
        }

        assertEquals(before, RedisState.read(key));
    }

    @Test
    void key_thatIsBanned_isShownWithItsBan() {
        TestKey key = TestKey.of(1, 10);
        key.list().statusCode(200);
        key.list().statusCode(429);
        key.list().spec(error(429, "key_banned"));
        Map<String, String> before = RedisState.read(key);

        show(key)
                .statusCode(200)
                .headers("X-RateLimit-Remaining", "0", "Retry-After", nullValue())
                .body("ban.level", equalTo(1))
                .body("ban.until", equalTo(Operator.show(key).extract().path("ban.until")))
                .body("ban.reason", equalTo("The key kept sending requests after exceeding its quota."));

        assertEquals(before, RedisState.read(key));
    }

    @Test
    void secret_thatWasRotated_isShownWithItsEnd() {
        TestKey old = TestKey.of("free");
        TestKey current = Operator.rotated(old, 3600);
        String end = Operator.show(old).extract().path("secrets[1].expiresAt");

        show(old).body("secret", equalTo(Map.of("hint", old.hint(), "expiresAt", end)));
        show(current).body("secret", equalTo(Map.of("hint", current.hint())));
    }

    @Test
    void secret_thatWasRotatedBySqlWithoutAnEnd_isShown() {
        show(TestKey.of("free").updateSecret("rotated_at = now()"))
                .statusCode(200)
                .header("Sunset", nullValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"expires_at", "suspended_at", "revoked_at"})
    void key_thatHasEnded_is401(String ended) {
        TestKey key = TestKey.of("free").update(ended + " = now()");

        show(key).spec(error(401, "invalid_api_key"));
    }

    @Test
    void request_withoutKey_is401() {
        RestAssured.get("/v1/key").then().spec(error(401, "missing_api_key"));
    }

    /** The bound holds before Redis is asked. A key that is known to have ended still is 401. */
    @Test
    void request_beyondTheBound_is429WithoutAStrikeAndWithoutRedis() {
        TestKey key = TestKey.of("free");
        Operator.change(key, "{\"owner\":\"another\"}");
        for (int i = 0; i < BOUND; i++) {
            show(key).statusCode(200);
        }

        List<String> commands = RedisState.commands(
                key,
                () -> show(key)
                        .spec(error(429, "rate_limit_exceeded"))
                        .headers("X-RateLimit-Limit", "60", "X-RateLimit-Remaining", "0")
                        .header("Retry-After", Integer::parseInt, greaterThan(0)));

        assertEquals(List.of(), commands);
        key.list().statusCode(200).header("X-RateLimit-Remaining", "59");
        Operator.revoke(key);
        key.list().statusCode(401);
        show(key).spec(error(401, "invalid_api_key"));
    }

    @Test
    void key_whileRedisHangs_isShownWithTheShareOfThisReplica() {
        TestKey key = TestKey.of(10, 100);
        key.list().statusCode(200).header("X-RateLimit-Remaining", "9");
        RedisState.hang(() -> {
            show(key).statusCode(200).body("usage.minute.remaining", equalTo(10));
            key.list().statusCode(200).header("X-RateLimit-Remaining", "9");
            show(key).statusCode(200).header("X-RateLimit-Remaining", "9").body("usage.minute.remaining", equalTo(9));
        });
        TestKey another = TestKey.of("free");
        Awaitility.await().until(() -> {
            another.list();
            return !RedisState.read(another).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/key/nothing, 404, not_found",
        "GET, /v1/keys, 404, not_found",
        "GET, /v1/authorize, 404, not_found",
        "GET, /v1/authorize/below, 404, not_found",
        "POST, /v1/key, 405, method_not_allowed"
    })
    void otherRequest_isChargedAsAnywhere(String method, String path, int status, String code) {
        TestKey key = TestKey.of("free");

        key.given().request(method, path).then().spec(error(status, code)).header("X-RateLimit-Remaining", "59");
    }

    /** Whatever it costs: no spelling reaches another operation without a charge. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/key/", "/v1/key;a=b", "/v1//key", "/v1/%6bey", "/v1/key?a=b"})
    void otherSpelling_isTheKeyOrNoPath(String path) {
        int status = TestKey.of("free")
                .given()
                .noFilters()
                .urlEncodingEnabled(false)
                .get(path)
                .statusCode();

        assertTrue(status == 200 || status == 404, () -> path + " " + status);
    }

    @Test
    void response_toAKeyThatEndsWithin30Days_hasItsSunset() {
        Instant end = Instant.now().plus(Duration.ofDays(30)).minusSeconds(60);
        TestKey ending = TestKey.of(1, 10).update("expires_at = '" + end + "'");
        TestKey later = TestKey.of(1, 10).update("expires_at = '" + end.plusSeconds(120) + "'");
        for (int status : new int[] {200, 429}) {
            ending.list()
                    .statusCode(status)
                    .headers("Sunset", DateFormatter.format(Date.from(end)), "Deprecation", nullValue());
            later.list().statusCode(status).header("Sunset", nullValue());
        }
        show(ending).statusCode(200).header("Sunset", DateFormatter.format(Date.from(end)));
    }

    @Test
    void usage_ofAMonth_isThatOfTheKeyAndIsCharged() {
        TestKey key = TestKey.of("free");
        add(key, "2998-02-01", 5, 1, 2);
        add(key, "2998-02-28", 7, 0, 0);
        add(key, "2998-03-01", 9, 9, 9);
        add(TestKey.of("free"), "2998-02-01", 8, 8, 8);

        key.given()
                .get("/v1/key/usage?month=2998-02&unknown=1")
                .then()
                .statusCode(200)
                .header("X-RateLimit-Remaining", "59")
                .body(equalTo("[{\"day\":\"2998-02-01\",\"admitted\":5,\"refused\":1,\"banned\":2},"
                        + "{\"day\":\"2998-02-28\",\"admitted\":7,\"refused\":0,\"banned\":0}]"));
        key.given().get("/v1/key/usage?from=2998-02-02&to=2998-03-01").then().body("admitted", equalTo(List.of(7, 9)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"from=x", "month=2998-13", "month=2998-01&to=2998-01-01", "from=2998-02-02&to=2998-02-01", "to="
            })
    void usage_ofBadDays_isRefused(String query) {
        TestKey.of("free").given().get("/v1/key/usage?" + query).then().spec(error(400, "invalid_parameter"));
    }

    /** The database of the engine may fail alone, and a table that it lacks is being restored. */
    @Test
    void usage_whileItsTableIsMissing_is503() {
        TestKey key = TestKey.of("free");
        key.list().statusCode(200);
        TestDatabase.execute("alter table usage_day rename to kept_usage");
        try {
            key.given()
                    .get("/v1/key/usage")
                    .then()
                    .spec(error(503, "service_unavailable"))
                    .header("Retry-After", "2");
        } finally {
            TestDatabase.execute("alter table kept_usage rename to usage_day");
        }
        key.given().get("/v1/key/usage").then().statusCode(200).body(equalTo("[]"));
    }

    private static void add(TestKey key, String day, long admitted, long refused, long banned) {
        TestDatabase.execute(
                "insert into usage_day (key_id, day, plan, admitted, refused, banned) values (%d, '%s', 'free', %d, %d, %d)"
                        .formatted(key.id(), day, admitted, refused, banned));
    }

    private static ValidatableResponse show(TestKey key) {
        return key.given().get("/v1/key").then();
    }
}
