package dev.animalstore.console;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.both;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The first page, which summarises all keys. */
@QuarkusTest
class OverviewTest {
    private static final long MANY = 1_000_000_000_000L;

    private static final Pattern PLAN = Pattern.compile(
            "\\?plan=business\">business.*<td class=\"number\">([0-9,]+)</td><td class=\"number\">([0-9,]+)</td><td");

    private final String owner = "Overview " + UUID.randomUUID();

    @Test
    void overview_ofUsage_sumsUpThirtyDaysByPlanAndKey() {
        TestKey key = TestKey.of("business").update("owner = '" + owner + "'");
        use(key, 0, MANY, 7, 0);
        use(key, 29, 5, MANY, 3);
        use(key, 30, MANY, MANY, MANY);
        String page = Visitor.signIn()
                .get("/console")
                .then()
                .statusCode(200)
                .body(containsString("Redis is available"))
                .body(containsString("<a href=\"/console/keys/" + key.id() + "\">" + owner
                        + "</a></th><td class=\"extra\">business</td><td class=\"number\">1,000,000,000,005</td>"))
                .body(containsString("<td class=\"extra\">business</td><td class=\"number\">1,000,000,000,007</td>"
                        + "<td class=\"number\">3</td></tr>"))
                .body(containsString("<th scope=\"col\" class=\"number\">Refused</th>"
                        + "<th scope=\"col\" class=\"number\">Banned</th></tr></thead>\n<tbody>\n"
                        + "<tr><th scope=\"row\" class=\"owner\">"))
                .extract()
                .asString();
        Matcher plan = PLAN.matcher(page);
        assertTrue(plan.find(), page);
        // Keys of other tests have the same plan.
        assertThat(number(plan.group(1)), both(greaterThanOrEqualTo(MANY + 5)).and(lessThan(2 * MANY)));
        assertThat(number(plan.group(2)), both(greaterThanOrEqualTo(MANY + 7)).and(lessThan(2 * MANY)));
        TestDatabase.execute("delete from usage_day where key_id = " + key.id());
    }

    @Test
    void overview_ofABan_listsItWhileItIsInForce() {
        TestKey key = TestKey.of(1, 100).update("owner = '" + owner + "'");
        for (int i = 0; i < 3; i++) {
            key.given().get("/v1/pets");
        }
        use(key, 0, 1, 1, 1);
        TestKey former = TestKey.of("free").update("owner = 'Former " + owner + "'");
        use(former, 0, 1, 1, 1);
        Visitor.signIn()
                .get("/console")
                .then()
                .body(allOf(
                        containsString("href=\"/console/keys/" + key.id() + "\">" + owner
                                + "</a></th><td>enterprise</td><td class=\"number\">1</td>"),
                        not(containsString(
                                "href=\"/console/keys/" + former.id() + "\">Former " + owner + "</a></th><td>free"))));
    }

    /** The request for the page is the first one after Redis begins to hang. */
    @Test
    void pages_whileRedisHangs_showAsUnknownWhatOnlyRedisKnows() {
        TestKey key = TestKey.of(1, 100).update("owner = '" + owner + "'");
        for (int i = 0; i < 3; i++) {
            key.given().get("/v1/pets");
        }
        use(key, 0, 1, 1, 1);
        Visitor visitor = Visitor.signIn();
        String page = "/console/keys/" + key.id();
        Map<String, String> lift = visitor.hiddenFields(page, page + "/ban/lift");
        String list = "/console/keys?owner=" + owner.replace(" ", "+");
        visitor.given().urlEncodingEnabled(false).get(list).then().body(containsString("state banned"));
        visitor.get("/console").then().body(containsString("<td class=\"number\">1</td><td class=\"time\">"));

        RedisState.hang(Duration.ofSeconds(8));
        visitor.get("/console")
                .then()
                .statusCode(200)
                .body(containsString("Redis is unavailable: each replica enforces its share of every limit locally."))
                .body(containsString("Which keys are banned is unknown while Redis is unavailable."))
                .body(not(containsString("Redis is available")))
                .body(not(containsString("No key is banned")));
        visitor.get(page)
                .then()
                .body(containsString("Redis is unavailable: whether other replicas have banned this key is unknown"))
                .body(containsString("<span class=\"state unknown\">unknown</span>"))
                .body(containsString("Quota now, on this replica"));
        visitor.given()
                .urlEncodingEnabled(false)
                .get(list)
                .then()
                .body(containsString("Redis is unavailable: which keys are banned is unknown"))
                .body(containsString("<span class=\"state unknown\">unknown</span>"));
        visitor.send(page + "/ban/lift", lift, Map.of())
                .then()
                .statusCode(409)
                .body(containsString("Redis is unavailable, so whether this ban is active is unknown."));

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> visitor.get("/console").asString().contains("Redis is available"));
        visitor.get(page).then().body(containsString("state banned"));
    }

    @Test
    void key_withUsage_hasAColumnAndARowForEachDay() {
        TestKey key = TestKey.of("free");
        use(key, 1, 1234, 5, 6);
        Visitor.signIn()
                .get("/console/keys/" + key.id())
                .then()
                .body(containsString("<rect class=\"first\" x=\"280\""))
                .body(containsString(
                        "<td class=\"number\">1,234</td><td class=\"number\">5</td><td class=\"number\">6</td>"));
    }

    private static long number(String grouped) {
        return Long.parseLong(grouped.replace(",", ""));
    }

    private static void use(TestKey key, int daysAgo, long admitted, long refused, long banned) {
        TestDatabase.execute("""
                insert into usage_day (key_id, day, admitted, refused, banned)
                values (%d, (now() at time zone 'UTC')::date - %d, %d, %d, %d)
                on conflict (key_id, day) do update set admitted = excluded.admitted, refused = excluded.refused, banned = excluded.banned
                """.formatted(key.id(), daysAgo, admitted, refused, banned));
    }
}
