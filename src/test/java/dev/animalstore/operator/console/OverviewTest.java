package dev.animalstore.operator.console;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.both;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.stringContainsInOrder;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.usage.UsageReports.DayUsage;
import io.quarkus.test.junit.QuarkusTest;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first page, which summarises all keys, what pages show of usage and bans, and the chart of a key's usage. */
@QuarkusTest
class OverviewTest extends SignedIn {
    private static final long MANY = 1_000_000_000_000L;

    private static final Pattern PLAN = Pattern.compile(
            "\\?plan=business\">business.*data-label=\"Admitted\">([0-9,]+)</td><td class=\"number\" data-label=\"Change\">\\+[0-9]+\\.[0-9] %"
                    + "</td><td class=\"number\" data-label=\"Refused\">([0-9,]+)</td><td");

    private static final LocalDate TODAY = LocalDate.of(2026, 3, 1);

    private final String owner = "Overview-" + UUID.randomUUID();

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where key_id in (select id from api_key where owner = '" + owner
                + "'); delete from api_key where owner = '" + owner
                + "' and id not in (select key_id from api_key_secret)");
    }

    @Test
    void overview_ofUsage_sumsUpThirtyDaysByPlanAndKey() {
        TestKey key = TestKey.of("business").update("owner = '" + owner + "'");
        use(key, 0, MANY, 7, 0);
        use(key, 29, 5, MANY, 3);
        use(key, 30, MANY / 2, MANY, MANY);
        use(key, 60, MANY, MANY, MANY);
        String page = visitor.get("/console")
                .statusCode(200)
                .body(containsString("<span class=\"state active\">Redis is available</span>"))
                .body(containsString("<figure class=\"chart\" aria-labelledby=\"traffic\">"))
                .body(matchesPattern("(?s).*" + LocalDate.now(ZoneOffset.UTC) + ": 1,000,[0-9,]+ admitted, .*"))
                .body(
                        containsString(
                                "<a href=\"/console/keys/" + key.id() + "\">" + owner
                                        + "</a></th><td data-label=\"Plan\">business</td><td class=\"number\" data-label=\"Admitted\">1,000,000,000,005</td>"))
                .body(containsString(
                        "<td data-label=\"Plan\">business</td><td class=\"number\" data-label=\"Refused\">1,000,000,000,007</td>"
                                + "<td class=\"number\" data-label=\"Banned\">3</td></tr>"))
                .extract()
                .asString();
        Matcher plan = PLAN.matcher(page);
        assertTrue(plan.find(), page);
        // Keys of other tests have the same plan.
        assertThat(number(plan.group(1)), both(greaterThanOrEqualTo(MANY + 5)).and(lessThan(2 * MANY)));
        assertThat(number(plan.group(2)), both(greaterThanOrEqualTo(MANY + 7)).and(lessThan(2 * MANY)));
    }

    @Test
    void overview_ofManyKeysThatWereBannedLately_listsThoseInForce() {
        TestDatabase.execute(
                "insert into api_key (owner, plan) select '" + owner + "', 'free' from generate_series(1, 229)");
        addBans();
        TestKey last = ban();
        String listed = "/console/keys/" + last.id() + "\">" + owner
                + "</a></th><td data-label=\"Plan\">enterprise</td><td class=\"number\" data-label=\"In a row\">1</td>";
        visitor.get("/console")
                .body(containsString(listed))
                .body(not(containsString(
                        "\">" + owner + "</a></th><td data-label=\"Plan\">free</td><td data-label=\"In a row")));
    }

    /** The request for the page is the first one after Redis begins to hang. */
    @Test
    void pages_whileRedisHangs_showAsUnknownWhatOnlyRedisKnows() {
        TestKey near = TestKey.of(5, 10).update("owner = '" + owner + "'");
        use(near, 0, 9_999_999, 0, 0);
        TestKey key = ban();
        String page = "/console/keys/" + key.id();
        String list = "/console/keys?owner=" + owner;
        visitor.get(list).body(containsString("state banned"));
        visitor.get("/console").body(containsString("data-label=\"In a row\">1</td>"));

        RedisState.hang(() -> {
            visitor.get("/console")
                    .statusCode(200)
                    .body(containsString(
                            "Redis is unavailable: each replica enforces its share of every limit locally."))
                    .body(containsString("Which keys are banned is unknown while Redis is unavailable."))
                    .body(containsString(
                            near.id() + "\">" + owner + "</a></th><td data-label=\"Plan\">enterprise</td>"))
                    .body(containsString(">9,999,999 <span class=\"muted\">of 10<"))
                    .body(not(containsString("Redis is available")))
                    .body(not(containsString("No key is banned")));
            visitor.get(page)
                    .body(containsString(
                            "Redis is unavailable: whether other replicas have banned this key is unknown"))
                    .body(containsString("<span class=\"state unknown\">unknown</span>"))
                    .body(containsString("Quota now, on this replica"));
            visitor.get(list)
                    .body(containsString("Redis is unavailable: which keys are banned is unknown"))
                    .body(containsString("<span class=\"state unknown\">unknown</span>"));
        });

        Awaitility.await()
                .until(() -> visitor.get("/console").extract().asString().contains("Redis is available"));
        visitor.get(page).body(containsString("state banned"));
    }

    @Test
    void key_withUsage_hasAColumnWithItsCountsAndARowForEachDay() {
        TestKey key = TestKey.of("free").update("owner = '" + owner + "'");
        use(key, 1, 1234, 5, 6);
        LocalDate day = LocalDate.now(ZoneOffset.UTC).minusDays(1);
        visitor.get("/console/keys/" + key.id())
                .body(containsString("<li><svg viewBox=\"0 0 1 1400\""))
                .body(containsString("<path class=\"limit\" d=\"M0 -1000h2\"/>"))
                .body(containsString(day + ": 1,234 admitted, 5 refused, 6 banned"))
                .body(containsString(
                        "<td class=\"number\" data-label=\"Admitted\">1,234</td><td class=\"number\" data-label=\"Refused\">5</td>"
                                + "<td class=\"number\" data-label=\"Banned\">6</td>"));
    }

    @Test
    void overview_namesKeysThatAreNearTheirLimitOrExpireSoon() {
        TestKey near = TestKey.of(5, 10).update("owner = '" + owner + "'");
        TestKey nearest = TestKey.of(5, 10).update("owner = '" + owner + "'");
        TestKey third = TestKey.of(5, 10).update("owner = '" + owner + "'");
        TestKey far = TestKey.of(5, 10).update("owner = '" + owner + "', expires_at = now() + interval '13 days'");
        TestKey later = TestKey.of(5, 10).update("owner = '" + owner + "', expires_at = now() + interval '15 days'");
        use(near, 0, 9_999_998, 0, 0);
        use(nearest, 0, 9_999_999, 0, 0);
        use(third, 0, 9_999_997, 0, 0);
        use(far, 0, 7, 0, 0);
        String page = visitor.get("/console").extract().asString();
        String nearSection = page.substring(page.indexOf("id=\"near\""), page.indexOf("id=\"expiring\""));
        String expiringSection = page.substring(page.indexOf("id=\"expiring\""), page.indexOf("id=\"plans\""));
        assertThat(
                nearSection,
                stringContainsInOrder(
                        "/console/keys/" + nearest.id() + "\"",
                        "/console/keys/" + near.id() + "\"",
                        "/console/keys/" + third.id() + "\""));
        assertThat(nearSection, not(containsString("/console/keys/" + far.id() + "\"")));
        assertThat(expiringSection, containsString("/console/keys/" + far.id() + "\""));
        assertThat(expiringSection, not(containsString("/console/keys/" + later.id() + "\"")));
    }

    private TestKey ban() {
        TestKey key = TestKey.of(1, 100).update("owner = '" + owner + "'");
        for (int i = 0; i < 3; i++) {
            key.given().get("/v1/samples");
        }
        use(key, 0, 1, 1, 1);
        return key;
    }

    /** Adds usage of today with a ban for keys without a secret. */
    private void addBans() {
        TestDatabase.execute("insert into usage_day (key_id, day, plan, admitted, refused, banned)"
                + " select id, (now() at time zone 'UTC')::date, plan, 1, 1, 1 from api_key where owner = '" + owner
                + "' on conflict (key_id, day) do update set banned = 1");
    }

    private static long number(String grouped) {
        return Long.parseLong(grouped.replace(",", ""));
    }

    private static void use(TestKey key, int daysAgo, long admitted, long refused, long banned) {
        TestDatabase.execute("""
                insert into usage_day (key_id, day, plan, admitted, refused, banned)
                select id, (now() at time zone 'UTC')::date - %2$d, plan, %3$d, %4$d, %5$d from api_key where id = %1$d
                on conflict (key_id, day) do update set admitted = excluded.admitted, refused = excluded.refused, banned = excluded.banned
                """.formatted(key.id(), daysAgo, admitted, refused, banned));
    }

    @Test
    void chart_ofAFewDays_hasEachOfThirty() {
        DayUsage earlier = new DayUsage(TODAY.minusDays(2), 5, 3, 2);
        DayUsage latest = new DayUsage(TODAY, 10, 0, 0);
        UsageChart chart = UsageChart.of(List.of(earlier, latest), TODAY, 1000);
        assertEquals(30, chart.days().size());
        assertEquals(LocalDate.of(2026, 1, 31), chart.days().get(0).day());
        DayUsage unused = new DayUsage(TODAY.minusDays(1), 0, 0, 0);
        assertEquals(List.of(earlier, unused, latest), chart.days().subList(27, 30));
        assertEquals(new DayUsage(TODAY, 15, 3, 2), chart.total());
        assertFalse(chart.isEmpty());
        assertTrue(UsageChart.of(List.of(), TODAY, 1000).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "1,1000,1", "3,1000,4", "10,1000,10", "11,1000,12",
        "99,1000,100", "101,1000,120", "12001,1000,14000", "9223372036854775,1000,10000000000000000",
        "333,1000,1000", "332,1000,400"
    })
    void top_isNotMuchMoreThanTheLargestDayOrThanALimitThatIsNear(long most, long limit, long top) {
        assertEquals(
                top,
                UsageChart.of(List.of(new DayUsage(TODAY, most, 0, 0)), TODAY, limit)
                        .top());
    }
}
