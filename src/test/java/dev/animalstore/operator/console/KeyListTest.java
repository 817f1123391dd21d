package dev.animalstore.operator.console;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console's list of keys: its search, its pages, and what it shows of each key. */
@QuarkusTest
class KeyListTest extends SignedIn {
    private static final Pattern ROW = Pattern.compile("href=\"/console/keys/([0-9]+)\"");
    private static final Pattern LINK = Pattern.compile("href=\"[^\"?]+\\?([^\"]+)\" rel=\"(prev|next)\"");

    private final String name = "Acme-" + UUID.randomUUID();

    /** The many keys of {@link #query_ofFew_usesItsIndex}, which would change the plans and the time of other tests' queries. */
    @AfterAll
    static void removeManyKeys() {
        TestDatabase.execute("delete from api_key where owner like 'plan %'; analyze api_key");
    }

    @Test
    void search_byAPartOfTheOwner_findsItInCapitalsAndSmallLetters() {
        long one = issue(name + "+one", "free").id();
        long two = issue(name + "+TWO", "pro").id();
        assertEquals(List.of(one, two), rows(list("owner=" + name.toUpperCase(Locale.ROOT))));
        assertEquals(List.of(two), rows(list("owner=" + name.substring(1) + "%2Btw")));
        assertEquals(List.of(), rows(list("owner=" + name + "%25")));
        assertEquals(List.of(two), rows(list("owner=" + name + "&plan=pro&state=")));
        String nothing = list("owner=" + name.substring(1) + ".");
        assertTrue(nothing.contains("No key matches.") && nothing.contains("Show all keys"), nothing);
        assertFalse(nothing.contains("<table"), nothing);
    }

    /** A portal of customers would otherwise show one the keys of another. */
    @Test
    void search_byTheWholeOwner_findsNoneThatOnlyBeginsSo() {
        long one = issue(name + " caf\u00e9", "free").id();
        issue(name + " caf\u00e9-2", "free");
        issue(name.toUpperCase(Locale.ROOT) + " CAF\u00c9", "free");
        String decomposed = name + "+cafe\u0301";
        assertEquals(List.of(one), rows(list("ownerIs=" + decomposed)));
        assertEquals(List.of(one), rows(list("ownerIs=" + decomposed + "&owner=ACME&plan=free")));
        Operator.given()
                .queryParam("ownerIs", name + " cafe\u0301")
                .get("/admin/keys")
                .then()
                .statusCode(200)
                .body("id", contains((int) one));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            active    | expires_at = now() + interval '15 days'
            expiring  | expires_at = now() + interval '13 days'
            expired   | expires_at = now(), suspended_at = now()
            suspended | expires_at = now() + interval '13 days', suspended_at = now()
            revoked   | revoked_at = now(), expires_at = now(), suspended_at = now()
            """)
    void search_byState_findsThoseOfThatStateOnly(String state, String update) {
        TestKey key = issue(name, "free").update(update);
        for (String each : List.of("active", "banned", "expiring", "expired", "suspended", "revoked")) {
            List<Long> expected = each.equals(state) ? List.of(key.id()) : List.of();
            assertEquals(expected, rows(list("owner=" + name + "&state=" + each)));
        }
        String shown = "<span class=\"state " + state + "\">" + state + "</span>";
        assertTrue(list("owner=" + name).contains(shown), shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"oldest", "newest"})
    void list_ofThreePages_isWalkedForthAndBackByItsLinks(String order) {
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            keys.add(order.equals("oldest") ? i : 0, issue(name + i, "free").id());
        }
        String first = list("owner=" + name + "&plan=&limit=2&order=" + order);
        String second = list(links(first).get("next"));
        String last = list(links(second).get("next"));
        assertThat(first, containsString("5 keys found"));
        assertEquals(keys.subList(0, 2), rows(first));
        assertEquals(keys.subList(2, 4), rows(second));
        assertEquals(keys.subList(4, 5), rows(last));
        assertEquals(Set.of("next"), links(first).keySet());
        assertEquals(Set.of("prev"), links(last).keySet());

        String secondAgain = list(links(last).get("prev"));
        String firstAgain = list(links(secondAgain).get("prev"));
        assertEquals(keys.subList(2, 4), rows(secondAgain));
        assertEquals(keys.subList(0, 2), rows(firstAgain));
        assertEquals(links(first), links(firstAgain));
        assertEquals(links(second).get("next"), links(secondAgain).get("next"));
    }

    /** Only Redis knows bans; usage names the candidates, which {@link OverviewTest} shows for many. */
    @Test
    void search_forBannedKeys_findsThoseThatMatch() {
        TestKey banned = TestKey.of(1, 100).update("owner = '" + name + "'");
        Awaitility.await().until(() -> banned.given().get("/v1/samples").path("code"), "key_banned"::equals);
        TestKey free = issue(name, "free");
        TestDatabase.execute(
                "insert into usage_day select id, (now() at time zone 'UTC')::date, plan, 1, 1, 1 from api_key"
                        + " where owner = '" + name + "' on conflict (key_id, day) do update set banned = 1");
        assertEquals(List.of(banned.id()), rows(list("state=banned&owner=" + name.toUpperCase(Locale.ROOT))));
        assertEquals(List.of(banned.id()), rows(list("state=banned&plan=enterprise&owner=" + name)));
        assertEquals(List.of(), rows(list("state=banned&plan=free&owner=" + name)));
        assertEquals(List.of(banned.id(), free.id()), rows(list("owner=" + name)));
        assertEquals(List.of(free.id()), rows(list("state=active&owner=" + name)));
        TestDatabase.execute("update api_key set expires_at = now() + interval '1 day' where owner = '" + name + "'");
        assertEquals(List.of(banned.id()), rows(list("state=banned&owner=" + name)));
        assertEquals(List.of(free.id()), rows(list("state=expiring&owner=" + name)));
        RedisState.hang(() -> assertThat(
                list("state=banned&owner=" + name),
                allOf(
                        containsString("which keys are banned is unknown"),
                        containsString("No key that this replica knows matches."))));
    }

    /** With a time of its last use in the future, which the collection of usage does not replace. */
    @Test
    void row_ofAKeyInUse_showsItsShareOfTheDay() {
        TestKey key = TestKey.of(1000, 1000).update("owner = '" + name + "', last_used_at = '2999-03-04T05:06:07Z'");
        for (int i = 0; i < 5; i++) {
            key.given().get("/v1/samples").then().statusCode(200);
        }
        visitor.get("/console/keys?owner=" + name)
                .body(containsString("<rect class=\"some\" width=\"0.5\""))
                .body(containsString("5 <span class=\"muted\">of 1,000</span>"))
                .body(containsString("2999-03-04 05:06</time>"))
                .body(not(containsString(key.text())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cursor=x", "state=gone", "order=up", "limit=0", "owner=a&owner=b", "owner=%00"})
    void search_thatIsInvalid_isRefusedAsAPage(String query) {
        visitor.given()
                .urlEncodingEnabled(false)
                .get("/console/keys?" + query)
                .then()
                .statusCode(400)
                .contentType("text/html;charset=UTF-8")
                .body(containsString("The address of this page is not valid."));
    }

    /** Of many keys, few have another plan, are revoked or expire. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            api_key_owner        | owner = 'plan 7'
            api_key_plan         | plan = 'pro'
            api_key_revoked      | revoked_at is not null
            api_key_expiring     | revoked_at is null and expires_at <= now()
            """)
    void query_ofFew_usesItsIndex(String index, String condition) {
        TestDatabase.execute("""
                insert into api_key (owner, plan) select 'plan ' || n, 'free' from generate_series(1, 20000) n
                where not exists (select 1 from api_key where owner = 'plan 20000'); analyze api_key""");
        String plan = TestDatabase.text(
                "explain select * from api_key k where id > 0 and " + condition + " order by id limit 21");
        assertTrue(plan.contains(index), plan);
    }

    private static TestKey issue(String owner, String plan) {
        return Operator.issue("{\"owner\":\"%s\",\"plan\":\"%s\"}".formatted(owner, plan));
    }

    private String list(String query) {
        return visitor.given()
                .urlEncodingEnabled(false)
                .get("/console/keys?" + query)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    /** The queries of the pages before and after a page. */
    private static Map<String, String> links(String page) {
        return LINK.matcher(page)
                .results()
                .collect(Collectors.toMap(
                        link -> link.group(2), link -> link.group(1).replace("&amp;", "&")));
    }

    private static List<Long> rows(String page) {
        return ROW.matcher(page)
                .results()
                .map(row -> Long.parseLong(row.group(1)))
                .toList();
    }
}
