package dev.animalstore.operator.api;

import static dev.animalstore.fixture.Operator.refusal;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import dev.animalstore.local.LocalPostgres;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators did with a key: who did what, in which order, and what leaves no record. */
@QuarkusTest
class KeyChangesTest {
    private static final int AT_ONCE = 40;

    @AutoClose("shutdownNow")
    private final ExecutorService operators = Executors.newFixedThreadPool(AT_ONCE);

    private TestKey key;
    private String path;

    @BeforeEach
    void issue() {
        key = Operator.issue("{\"owner\":\"changed\",\"plan\":\"free\"}");
        path = Operator.path(key) + "/changes";
    }

    @Test
    void changes_ofAKey_areShownWithTheirOperatorsTheNewestFirst() {
        Operator.as(Operator.BILLING_TOKEN)
                .contentType("application/json")
                .body("{\"plan\":\"pro\"}")
                .patch(Operator.path(key))
                .then()
                .statusCode(200);
        Operator.rotate(key, 60).statusCode(201);
        Visitor visitor = Visitor.signIn(Operator.BILLING_TOKEN);
        visitor.submit("/console/keys/" + key.id() + "/change", Map.of("owner", "Console"))
                .statusCode(303);
        Operator.liftBan(key).statusCode(204);
        Operator.revoke(key).statusCode(204);

        String change = "\\{\"key\":" + key.id()
                + ",\"at\":\"20[0-9T:.-]+Z\",\"operator\":\"%s\",\"action\":\"%s\",\"changed\":\\{.*}}";
        String expected = Stream.of(
                        change.formatted("admin", "revokeKey"),
                        change.formatted("admin", "liftBan"),
                        change.formatted(Operator.BILLING, "changeKey"),
                        change.formatted("admin", "rotateKey"),
                        change.formatted(Operator.BILLING, "changeKey"),
                        change.formatted("admin", "issueKey"))
                .reduce((newer, older) -> newer + "," + older)
                .orElseThrow();
        changes()
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .header("Link", nullValue())
                .body(matchesPattern("\\[" + expected + "]"));
        visitor.get("/console/keys/" + key.id())
                .body(containsString("<td data-label=\"Who\">" + Operator.BILLING
                        + "</td><td data-label=\"What\">changed: plan free → pro</td>"))
                .body(containsString("<td data-label=\"What\">ban lifted</td>"));
    }

    @Test
    void change_ofSomeMembers_isShownFromWhatToWhat() {
        Operator.change(key, """
                {"owner":"Big","plan":"enterprise","limits":{"perMinute":5,"perDay":6},"expiresAt":"2999-01-01T00:00:00Z"}""").statusCode(200);
        changed("""
                {"expiresAt":[null,"2999-01-01T00:00:00Z"],"owner":["changed","Big"],"perDay":[null,6],"perMinute":[null,5],\
                "plan":["free","enterprise"]}""");
    }

    @Test
    void issue_isShownWithTheValuesOfTheKeyAndItsSecret() {
        String created = Operator.show(key).extract().path("createdAt");
        changed("{\"createdAt\":[null,\"" + created
                + "\"],\"owner\":[null,\"changed\"],\"plan\":[null,\"free\"],\"secret " + key.hint()
                + "\":[null,{\"expiresAt\":null}]}");
    }

    /** Of a key without secrets, which could not be deleted with them. */
    @Test
    void deletion_afterAnUpdateInTheSameTransaction_isRecordedWithTheValuesBefore() {
        String changed = "select concat_ws(' ', before -> 'key' -> 'owner', after) from key_change where key_id = ";
        long id = TestDatabase.number("insert into api_key (owner, plan) values ('deleted', 'free') returning id");
        TestDatabase.execute(
                "update api_key set owner = 'b' where id = %1$d; delete from api_key where id = %1$d".formatted(id));
        assertEquals("\"deleted\" {\"key\": null}\n", TestDatabase.text(changed + id + " order by id desc limit 1"));
    }

    /** The numbers of transactions of a younger server are those of records that a backup of an older one has. */
    @Test
    void change_afterARestoreOnAYoungerServer_isARecordOfItsOwn() {
        TestDatabase.execute("insert into key_change (changed, key_id, at, operator, action, before, after)"
                + " select ((pg_current_xact_id()::text)::bigint + n)::text::xid8, " + key.id()
                + ", '2020-01-01', 'restored', 'sql', '{\"key\": {\"plan\": \"pro\"}}', '{\"key\": {\"plan\": \"free\"}}'"
                + " from generate_series(1, 1000) n");
        Operator.change(key, "{\"plan\":\"business\"}").statusCode(200);
        changes().body("[0].operator", equalTo("admin")).body("[0].changed.plan", contains("free", "business"));
    }

    /** With a session of another time zone. */
    @Test
    void change_bySqlPastTheService_isShownWithTheUserOfTheDatabase() {
        TestDatabase.execute("set timezone = 'Asia/Kolkata'; update api_key set plan = 'pro',"
                + " expires_at = '2999-01-01T00:00:00Z' where id = " + key.id());
        changes().body("[0].operator", equalTo(LocalPostgres.USER)).body("[0].action", equalTo("sql"));
        changed("{\"expiresAt\":[null,\"2999-01-01T00:00:00Z\"],\"plan\":[\"free\",\"pro\"]}");
    }

    @Test
    void rotation_isShownWithTheEndOfTheOldSecretByItsHint() {
        TestKey current = Operator.rotated(key, 60);
        String end = Operator.show(key).extract().path("secrets[1].expiresAt");
        changes()
                .body("[0].changed.'secret " + current.hint() + "'", contains(nullValue(), hasEntry("expiresAt", null)))
                .body(
                        "[0].changed.'secret " + key.hint() + "'",
                        contains(hasEntry("expiresAt", null), hasEntry("expiresAt", end)));
    }

    private void changed(String expected) {
        assertThat(changes().extract().asString(), containsString("\"changed\":" + expected + "}"));
    }

    @Test
    void changes_ofNothingOrRefused_leaveNoRecord() {
        Operator.change(key, "{}").statusCode(200);
        Operator.change(key, "{\"plan\":\"free\"}").statusCode(200);
        Operator.change(key, "{\"plan\":\"gold\"}").statusCode(400);
        Operator.change(key, "{\"owner\":\"a\",\"limits\":{\"perMinute\":1,\"perDay\":1}}")
                .statusCode(400);
        Operator.lookUp(key.text()).statusCode(200);
        Operator.revoke(key).statusCode(204);
        Operator.revoke(key).statusCode(204);
        Operator.rotate(key, 0).statusCode(409);
        changes().body("action", contains("revokeKey", "issueKey"));
    }

    /** The form has issued a key already, so the transaction that issued another one is rolled back. */
    @Test
    void issue_thatIsRolledBack_leavesNoRecord() {
        Visitor visitor = Visitor.signIn();
        Map<String, String> hidden = visitor.hiddenFields("/console/issue", "/console/issue");
        Map<String, String> typed = Map.of("owner", "changed", "plan", "free");
        visitor.send("/console/issue", hidden, typed).statusCode(201);
        visitor.send("/console/issue", hidden, typed).statusCode(409);
        assertEquals(
                0,
                TestDatabase.number("select count(*) from key_change where action = 'issueKey'"
                        + " and key_id not in (select id from api_key)"));
    }

    @ParameterizedTest
    @CsvSource({"PATCH,''", "POST,/rotation", "DELETE,''"})
    void change_thatCannotBeRecorded_isNotMade(String method, String operation) {
        String body = method.equals("PATCH") ? "{\"plan\":\"pro\"}" : "{\"graceSeconds\":0}";
        Map<String, Object> before = Operator.stored(key);
        TestDatabase.during(
                "lock table key_change in share mode",
                () -> Operator.given(body)
                        .request(method, Operator.path(key) + operation)
                        .then()
                        .statusCode(503));
        assertEquals(before, Operator.stored(key));
        changes().body("action", contains("issueKey"));
    }

    /** One that does not get its turn in time is 503. */
    @Test
    void changes_fortyAtOnce_areRecordedOnceEachInTheirOrder() {
        String body = "{\"owner\":\"owner %d\"}";
        long made = Responses.atOnce(
                        AT_ONCE,
                        n -> CompletableFuture.supplyAsync(() -> Operator.change(key, body.formatted(n)), operators))
                .stream()
                .filter(response -> response.extract().statusCode() == 200)
                .count();
        assertTrue(made > 1, made + " changes");
        Operator.given().queryParam("limit", 100).get(path).then().body("$", hasSize((int) made + 1));
        String later = "select count(*) from key_change a join key_change b using (key_id)"
                + " where a.id < b.id and a.at > b.at and key_id = ";
        assertEquals(0, TestDatabase.number(later + key.id()));
    }

    @Test
    void changes_ofManyPages_leadFromPageToPageOfThatKey() {
        for (int grace = 1; grace <= 4; grace++) {
            Operator.rotate(key, grace).statusCode(201);
        }
        String next =
                next(Operator.given().queryParam("limit", 2).get(path).then().body("$", hasSize(2)));
        Operator.revoke(key).statusCode(204);
        String last = next(follow(next).body("action", contains("rotateKey", "rotateKey")));
        follow(last).header("Link", nullValue()).body("action", contains("issueKey"));

        TestKey other = TestKey.of("free");
        follow(next.replace("/" + key.id() + "/", "/" + other.id() + "/"))
                .spec(refusal(400, "invalid_parameter", containsString("cursor")));
    }

    @Test
    void owner_thatIsErased_isInNoRecordAndTheOtherValuesStay() {
        Operator.change(key, "{\"owner\":\"Jane Doe\",\"plan\":\"pro\"}").statusCode(200);
        Operator.revoke(key).statusCode(204);
        Operator.change(key, "{\"owner\":\"erased\"}").statusCode(200).body("owner", equalTo("erased"));
        key.list().statusCode(401);

        String erase = "select erase_former_owners(" + key.id() + ")";
        assertEquals(4, TestDatabase.number(erase));
        changes()
                .body("action", contains("changeKey", "revokeKey", "changeKey", "issueKey"))
                .body("[0].changed.size()", equalTo(0))
                .body("[2].changed.size()", equalTo(1))
                .body("[2].changed.plan", contains("free", "pro"))
                .body("[3].changed.owner", contains(nullValue(), equalTo("erased")));
        String named =
                "select count(*) from key_change where before || after @? '$.**.owner ? (@ == \"Jane Doe\" || @ == \"changed\")' and key_id = ";
        assertEquals(0, TestDatabase.number(named + key.id()));
        assertEquals(
                "null\n",
                TestDatabase.text(
                        "select before -> 'key' from key_change where action = 'issueKey' and key_id = " + key.id()));
    }

    @Test
    void erasingOfOwners_isForTheOwnerOfTheSchemaWithAPathOfItsOwn() {
        String function = "from pg_proc where proname = 'erase_former_owners'";
        assertEquals(
                "{\"search_path=metering, pg_temp\"} f\n",
                TestDatabase.text(
                        "select concat(proconfig, ' ', has_function_privilege('public', oid, 'execute')) " + function));
    }

    /** After what follows a page was removed, which removes the oldest first. */
    @Test
    void changesOfAllKeys_byAnOperator_leadFromPageToPageOfThatOperator() {
        TestDatabase.execute("delete from key_change where operator = 'rare';"
                + " insert into key_change (changed, key_id, at, operator) select '7', -n, '2020-01-01', 'usual' from generate_series(1, 20000) n;"
                + " insert into key_change (changed, key_id, at, operator) select '8', -n, date '2019-12-01' + n, 'rare' from generate_series(1, 3) n;"
                + " analyze key_change");
        try {
            ValidatableResponse first = Operator.given()
                    .queryParams("operator", "rare", "limit", 2)
                    .get("/admin/changes")
                    .then()
                    .statusCode(200)
                    .header("Cache-Control", "no-store")
                    .body("key", contains(-3, -2));
            String link =
                    "<(\\S+/admin/changes\\?limit=2&from=1970-01-01&operator=rare&to=9999-12-31&cursor=[^>]+)>; rel=\"next\"";
            String next = first.extract().header("Link").replaceFirst(link, "$1");
            follow(next).header("Link", nullValue()).body("key", contains(-1));
            follow(next.replace("=rare", "=usual")).spec(refusal(400, "invalid_parameter", containsString("cursor")));
            TestDatabase.execute("delete from key_change where operator = 'rare' and key_id < -1");
            follow(next).statusCode(200).body("", hasSize(0));

            Operator.given()
                    .queryParams("operator", "usual", "from", "2020-01-01", "to", "2020-01-01", "limit", 100)
                    .get("/admin/changes")
                    .then()
                    .body("", hasSize(100))
                    .body("operator", everyItem(equalTo("usual")));
        } finally {
            TestDatabase.execute("delete from key_change where key_id < 0; analyze key_change");
        }
    }

    /** PostgreSQL expects as many changes by anybody, and would by default go through those of all operators. */
    @Test
    void query_ofAnOperatorWhoHasMadeFewChanges_readsThoseOnly() {
        TestDatabase.execute(
                "insert into key_change (changed, key_id, at, operator) select '9', -n, '2020-01-01', 'usual' from generate_series(1, 20000) n;"
                        + " analyze key_change");
        try {
            String condition =
                    "(operator, at, id) >= ('rare', '-infinity', 0) and (operator, at, id) < ('rare', 'infinity', 0)";
            String plan = TestDatabase.text("explain select * from key_change where " + condition
                    + " order by operator desc, at desc, id desc limit 101");
            assertTrue(plan.contains("key_change_operator"), plan);
        } finally {
            TestDatabase.execute("delete from key_change where key_id < 0; analyze key_change");
        }
    }

    @Test
    void changesOfAllKeys_areShownWithTheirKeysTheNewestFirst() {
        Operator.change(key, "{\"plan\":\"pro\"}").statusCode(200);
        TestKey other = Operator.issue("{\"owner\":\"other\",\"plan\":\"free\"}");
        TestDatabase.execute("insert into plan values ('shown', 1, 2); delete from plan where name = 'shown'");
        Operator.given()
                .queryParam("limit", 5)
                .get("/admin/changes")
                .then()
                .statusCode(200)
                .body("key", contains(null, null, (int) other.id(), (int) key.id(), (int) key.id()))
                .body("plan", contains("shown", "shown", null, null, null))
                .body("action", contains("sql", "sql", "issueKey", "changeKey", "issueKey"))
                .body("[3].changed.plan", contains("free", "pro"));
        String today = LocalDate.now(ZoneOffset.UTC).toString();
        Operator.given()
                .queryParams("from", today, "to", today, "limit", 1)
                .get("/admin/changes")
                .then()
                .body("", hasSize(1));
        Operator.given()
                .queryParams("to", "2019-01-01")
                .get("/admin/changes")
                .then()
                .body("", hasSize(0));
    }

    @ParameterizedTest
    @CsvSource({
        "from=2026-01-02&to=2026-01-01,from",
        "from=2026-1-1,from",
        "operator=,operator",
        "month=2026-01,only operator"
    })
    void changesOfAllKeys_withInvalidParameters_are400(String query, String named) {
        Operator.given()
                .urlEncodingEnabled(false)
                .get("/admin/changes?" + query)
                .then()
                .spec(refusal(400, "invalid_parameter", containsString(named)));
    }

    private ValidatableResponse changes() {
        return Operator.given().get(path).then().statusCode(200);
    }

    private static ValidatableResponse follow(String link) {
        return Operator.given().urlEncodingEnabled(false).get(link).then();
    }

    private String next(ValidatableResponse response) {
        String link = "<(http://localhost:" + RestAssured.port + path + "\\?limit=2&cursor=[^>]+)>; rel=\"next\"";
        response.statusCode(200).header("Link", matchesPattern(link));
        return response.extract().header("Link").replaceFirst(link, "$1");
    }
}
