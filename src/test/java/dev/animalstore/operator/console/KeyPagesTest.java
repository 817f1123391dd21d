package dev.animalstore.operator.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.stringContainsInOrder;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a key, and the forms that change, rotate and revoke the version of it that they showed. */
@QuarkusTest
class KeyPagesTest extends SignedIn {
    private static final String OUTDATED = "Nothing was changed. The key has changed since this form was opened.";

    private final String owner = "Owner " + UUID.randomUUID();
    private final TestKey key = TestKey.of("free").update("owner = '" + owner + "'");
    private final String path = "/console/keys/" + key.id();

    @Test
    void change_ofSomeFields_changesThoseOnlyAndSaysSoUntilTheNextChange() {
        key.update("expires_at = '2999-01-01T00:00:07.5Z'");
        ValidatableResponse changed = visitor.submit(
                path + "/change", Map.of("owner", owner + "!", "plan", "pro", "expiresAt", "2999-01-01T00:00"));
        changed.statusCode(303);
        visitor.follow(changed).body(containsString("Done. This is the key"));
        Operator.show(key)
                .body("$", not(hasKey("version")))
                .body("owner", equalTo(owner + "!"))
                .body("plan", equalTo("pro"))
                .body("expiresAt", equalTo("2999-01-01T00:00:07.500Z"));
        key.given().get("/v1/samples").then().header("X-RateLimit-Limit", "300");

        visitor.get(path + "?done=1").statusCode(200).body(not(containsString("alert good")));
        visitor.submit(path + "/change", Map.of("owner", owner)).statusCode(303);
        visitor.follow(changed).body(not(containsString("alert good")));
        Operator.show(key).body("plan", equalTo("pro")).body("expiresAt", equalTo("2999-01-01T00:00:07.500Z"));
    }

    @Test
    void change_ofAKeyWithLimitsOfItsOwn_requiresThemUnlessThePlanHasSome() {
        TestKey enterprise = TestKey.of(5, 6);
        String change = "/console/keys/" + enterprise.id() + "/change";
        Map<String, Object> before = Operator.stored(enterprise);
        Map<String, String> shown =
                Map.of("owner", "test", "plan", "enterprise", "limits.perMinute", "5", "limits.perDay", "6");
        visitor.submit(change, shown).statusCode(303);
        assertEquals(before, Operator.stored(enterprise));
        Map<String, String> cleared =
                Map.of("owner", "Mine", "plan", "enterprise", "limits.perMinute", "", "limits.perDay", "");
        visitor.submit(change, cleared)
                .statusCode(400)
                .body(containsString("id=\"limits.perMinute-error\">Per minute is required."))
                .body(containsString("value=\"Mine\""));
        assertEquals(before, Operator.stored(enterprise));
        visitor.submit(change, Map.of("plan", "pro", "limits.perMinute", "", "limits.perDay", ""))
                .statusCode(303);
        Operator.show(enterprise).body("limits.perMinute", equalTo(300));
    }

    @Test
    void rotation_withAGraceThatIsTooLong_isRefusedByItsLabel() {
        visitor.submit(path + "/rotation", Map.of("graceSeconds", "2592001"))
                .statusCode(400)
                .body(containsString("id=\"graceSeconds-error\">Grace period must be from 0 to 2592000."));
    }

    @Test
    void rotation_sentTwice_isDoneOnce() {
        Map<String, String> hidden = visitor.hiddenFields(path + "/rotation", path + "/rotation");
        ValidatableResponse rotated = visitor.send(path + "/rotation", hidden, Map.of("graceSeconds", "3600"));
        rotated.statusCode(201).header("Cache-Control", "no-store");
        TestKey current = new TestKey(key.id(), Visitor.secret(rotated));

        visitor.send(path + "/rotation", hidden, Map.of("graceSeconds", "0"))
                .statusCode(409)
                .body(containsString(OUTDATED))
                .body(not(containsString("ask_test_")));
        current.given().get("/v1/samples").then().statusCode(200);
        key.given().get("/v1/samples").then().statusCode(200);
        visitor.get(path)
                .body(containsString("The key as it looks</th>"))
                .body(containsString("<code>ask_…<strong>" + current.hint() + "</strong>••••••</code>"));
    }

    @Test
    void suspension_confirmed_isUndoneByTheButtonOfThePage() {
        visitor.get(path).body(containsString("href=\"" + path + "/suspension\">Suspend</a>"));
        visitor.get(path + "/suspension").body(containsString("is refused on every replica, until it is resumed."));
        key.given().get("/v1/samples").then().statusCode(200);
        ValidatableResponse suspended = visitor.submit(path + "/suspension", Map.of());
        suspended.statusCode(303);
        visitor.follow(suspended)
                .body(containsString("Done."))
                .body(containsString("<span class=\"state suspended\">suspended</span>"))
                .body(containsString("<strong>Suspended since "))
                .body(containsString(">changed: suspended</td>"))
                .body(not(containsString("id=\"try\"")));
        key.given().get("/v1/samples").then().statusCode(401);
        visitor.get("/console/keys?state=suspended").body(containsString(owner));
        visitor.get("/console/keys?state=active&owner=" + owner).body(not(containsString("<table")));

        visitor.get(path + "/suspension").statusCode(303).header("Location", equalTo(path));
        String resume = path + "/suspension/lift";
        visitor.send(resume, visitor.hiddenFields(path, resume), Map.of()).statusCode(303);
        visitor.get(path).body(containsString(">changed: resumed</td>"));
        key.given().get("/v1/samples").then().statusCode(200);
    }

    @Test
    void revocation_confirmed_namesTheOwnerAndTakesEffectFromTheNextRequest() {
        key.given().get("/v1/samples").then().statusCode(200);
        visitor.get(path + "/revocation").statusCode(200).body(containsString(owner));
        visitor.submit(path + "/revocation", Map.of()).statusCode(303);
        key.given().get("/v1/samples").then().statusCode(401);
        visitor.get(path).body(containsString("<span class=\"state revoked\">")).body(not(containsString("/change\"")));
        for (String form : List.of("/change", "/rotation", "/suspension", "/revocation")) {
            visitor.get(path + form).statusCode(303).header("Location", equalTo(path));
        }
    }

    /** Redis still responds to what only reads, so the pages do not say that it is unavailable. */
    @Test
    void changes_thatRedisHasNotConfirmed_areSaidToHoldOnOtherReplicasLater() {
        RedisState.refuseWrites(() -> {
            visitor.submit(path + "/change", Map.of("plan", "pro"))
                    .statusCode(200)
                    .body(containsString("Done, but not everywhere yet."))
                    .body(containsString("other replicas may use the key as it was for up to 30 seconds."))
                    .body(not(containsString("from the next request on")));
            visitor.submit(path + "/rotation", Map.of("graceSeconds", "0"))
                    .statusCode(201)
                    .body(containsString("may accept the old secret as before for up to 30 seconds."));
            visitor.submit(path + "/revocation", Map.of())
                    .statusCode(200)
                    .body(containsString("Done, but not everywhere yet."));
        });
        Operator.show(key).body("plan", equalTo("pro")).body("$", not(hasKey("lateSeconds")));
    }

    @Test
    void revocation_whileRedisHangs_isAnnouncedAsLateOnOtherReplicas() {
        RedisState.hang(() -> visitor.get(path + "/revocation")
                .body(containsString("is refused on this replica, and within 30 seconds on the others")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/change", "/rotation", "/suspension", "/suspension/lift", "/revocation", "/ban/lift"})
    void form_ofAKeyThatAnotherOperatorChanged_changesNothingAndIsShownAsTheKeyIsNow(String form) {
        Map<String, String> hidden = visitor.hiddenFields(path + "/change", path + "/change");
        Map<String, String> typed = Map.of("owner", "Mine", "plan", "business", "expiresAt", "", "graceSeconds", "0");
        Operator.change(key, "{\"owner\":\"Another\",\"plan\":\"pro\"}").statusCode(200);
        Map<String, Object> before = Operator.stored(key);
        ValidatableResponse outdated = visitor.send(path + form, hidden, typed);
        outdated.statusCode(409)
                .body(containsString(OUTDATED))
                .body(containsString("Another"))
                .body(not(containsString("Mine")));
        assertEquals(before, Operator.stored(key));
        if (!form.endsWith("/lift")) {
            Map<String, String> renewed =
                    Visitor.hiddenFields(outdated.extract().asString().replaceFirst("(?s).*class=\"fields\"", ""));
            int status = visitor.send(path + form, renewed, typed).extract().statusCode();
            assertEquals(form.equals("/rotation") ? 201 : 303, status);
        }

        Operator.revoke(key).statusCode(204);
        visitor.send(path + form, hidden, typed)
                .statusCode(409)
                .body(containsString(OUTDATED))
                .body(containsString("<span class=\"state revoked\">"))
                .body(not(containsString("class=\"fields\"")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0", "99999999999999999999"})
    void form_ofNoVersion_changesNothing(String version) {
        visitor.send(path + "/revocation", Map.of(), Map.of("version", version))
                .statusCode(409)
                .body(containsString(OUTDATED));
        key.given().get("/v1/samples").then().statusCode(200);
    }

    @Test
    void lookup_ofAKeyFoundInPublic_leadsToItsPageWithoutItsText() {
        key.given().get("/v1/samples").then().statusCode(200);
        Map<String, String> hidden = visitor.hiddenFields("/console/keys", "/console/keys/lookup");
        ValidatableResponse found =
                visitor.send("/console/keys/lookup", hidden, Map.of("key", " " + key.text() + "\n"));
        found.statusCode(303).header("Location", matchesPattern(path + "\\?found=[0-9]+"));
        visitor.follow(found)
                .statusCode(200)
                .body(containsString("This is the key that was found.</strong> Its plan is free"))
                .body(containsString("Revoke the key"))
                .body(not(containsString(key.text())));
        key.update("suspended_at = now()");
        visitor.follow(found).body(containsString(". It is suspended, so it is not accepted.</p>"));
        key.update("suspended_at = null");
        TestKey current = Operator.rotated(key, 0);
        visitor.follow(found)
                .body(containsString(". The secret that was found has not worked since 20"))
                .body(containsString("…<strong>" + current.hint()))
                .body(not(containsString("…<strong>" + key.hint())))
                .body(not(containsString("Revoke the key")));
        Operator.revoke(key).statusCode(204);
        visitor.follow(found)
                .body(containsString("It is revoked, so it is not accepted."))
                .body(not(containsString("Revoke the key")));
    }

    @ParameterizedTest
    @CsvSource({
        "ask_test_Demofree0000000000000000000000002SDbAX,400,Text of the key must be a whole API key",
        "ask_test_Demofree0000000000000000000000002SDbAQ,404,No such key."
    })
    void lookup_ofNoKey_saysSoWithoutTheText(String text, int status, String reason) {
        Map<String, String> hidden = visitor.hiddenFields("/console/keys", "/console/keys/lookup");
        visitor.send("/console/keys/lookup", hidden, Map.of("key", text))
                .statusCode(status)
                .body(containsString("id=\"lookup-error\">" + reason))
                .body(not(containsString(text)));
    }

    @Test
    void page_ofAKeyIssuedToday_showsItsLimitsBeforeItsUsageAndOffersTheUsageOfThisMonth() {
        visitor.get(path)
                .body(stringContainsInOrder("60 requests per minute, 1,000 per day", "id=\"quota\""))
                .body(containsString("<select id=\"month\" name=\"month\">\n<option>" + YearMonth.now(ZoneOffset.UTC)
                        + "</option>\n</select>"));
    }

    @Test
    void page_ofARevokedKeyInAGracePeriod_saysNothingThatNeedsAKeyThatWorks() {
        Operator.rotated(key, 3600);
        visitor.get(path).body(containsString("The owner sends the key as")).body(containsString("current"));
        Operator.revoke(key).statusCode(204);
        visitor.get(path)
                .body(not(containsString("The owner sends the key as")))
                .body(not(matchesPattern("(?s).*data-label=\"Works until\">20.*")));
    }

    @Test
    void ban_ofTheVersionThatThePageShowed_isLiftedOnce() {
        TestKey banned = TestKey.of(1, 100);
        Awaitility.await()
                .until(() -> banned.given().get("/v1/samples").path("code"), code -> "key_banned".equals(code));
        String page = "/console/keys/" + banned.id();
        visitor.get(page).body(containsString("<strong>Banned until ")).body(containsString("Bans in a row: 1."));
        Map<String, String> hidden = visitor.hiddenFields(page, page + "/ban/lift");
        ValidatableResponse lifted = visitor.send(page + "/ban/lift", hidden, Map.of());
        lifted.statusCode(303);
        visitor.follow(lifted).body(containsString("Done.")).body(not(containsString("Banned until")));
        banned.given().get("/v1/samples").then().statusCode(429).body("code", equalTo("rate_limit_exceeded"));
        visitor.send(page + "/ban/lift", hidden, Map.of()).statusCode(409).body(containsString(OUTDATED));
    }
}
