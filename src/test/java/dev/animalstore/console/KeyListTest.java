package dev.animalstore.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console's list of keys: its search, its pages, and what it shows of each key. */
@QuarkusTest
class KeyListTest {
    private static final Pattern ROW = Pattern.compile("href=\"/console/keys/([0-9]+)\"");
    private static final Pattern NEXT = Pattern.compile("href=\"([^\"]+)\" rel=\"next\"");

    private final String name = "Acme " + UUID.randomUUID();
    private Visitor visitor;

    /** The many keys of {@link #query_ofFew_usesItsIndex}, which would change the plans and the time of other tests' queries. */
    @AfterAll
    static void removeManyKeys() {
        TestDatabase.execute("delete from api_key where owner like 'plan %'; analyze api_key");
    }

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }

    @Test
    void search_byTheBeginningOfTheOwner_findsItInCapitalsAndSmallLetters() {
        TestKey one = issue(name + " one", "free");
        TestKey two = issue(name + " TWO", "pro");
        assertEquals(List.of(one.id(), two.id()), search("owner", name.toUpperCase(Locale.ROOT)));
        assertEquals(List.of(two.id()), search("owner", name + " tw"));
        assertEquals(List.of(), search("owner", name.substring(1)));
        assertEquals(List.of(), search("owner", name + "%"));
        assertEquals(List.of(two.id()), search("owner", name, "plan", "pro"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            active  | expires_at = now() + interval '1 hour'
            expired | expires_at = now()
            revoked | revoked_at = now(), expires_at = now()
            """)
    void search_byState_findsThoseOfThatStateOnly(String state, String update) {
        TestKey key = issue(name, "free").update(update);
        for (String each : List.of("active", "expired", "revoked")) {
            assertEquals(each.equals(state) ? List.of(key.id()) : List.of(), search("owner", name, "state", each));
        }
        visitor.given()
                .queryParam("owner", name)
                .get("/console/keys")
                .then()
                .body(containsString("<span class=\"state " + state + "\">" + state + "</span>"));
    }

    @Test
    void list_ofMoreThanAPage_isWalkedByItsLinks() {
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 23; i++) {
            keys.add(issue(name + " " + i, "free").id());
        }
        List<Long> walked = new ArrayList<>();
        String page = visitor.given()
                .queryParam("owner", name)
                .queryParam("plan", "")
                .get("/console/keys")
                .asString();
        walked.addAll(rows(page));
        assertEquals(20, walked.size());
        var next = NEXT.matcher(page);
        next.find();
        String last = visitor.given()
                .urlEncodingEnabled(false)
                .get(next.group(1).replace("&amp;", "&"))
                .asString();
        walked.addAll(rows(last));
        assertEquals(keys, walked);
        assertEquals(false, NEXT.matcher(last).find());
    }

    /** With a time of its last use in the future, which the collection of usage does not replace. */
    @Test
    void row_ofAKeyInUse_showsItsShareOfTheDay() {
        TestKey key = TestKey.of(1000, 1000).update("owner = '" + name + "', last_used_at = '2999-03-04T05:06:07Z'");
        for (int i = 0; i < 5; i++) {
            key.given().get("/v1/pets").then().statusCode(200);
        }
        visitor.given()
                .queryParam("owner", name)
                .get("/console/keys")
                .then()
                .body(containsString("<rect class=\"some\" width=\"0.5\""))
                .body(containsString("5 <span class=\"muted\">of 1,000</span>"))
                .body(containsString("2999-03-04 05:06</time>"));
    }

    @Test
    void search_thatFindsNothing_saysWhatToDo() {
        visitor.given()
                .queryParam("owner", UUID.randomUUID().toString())
                .get("/console/keys")
                .then()
                .statusCode(200)
                .body(containsString("No key matches."))
                .body(containsString("Show all keys"))
                .body(not(containsString("<table")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cursor=x", "state=gone", "plan=nope", "limit=0", "owner=a&owner=b", "owner=%00"})
    void search_thatIsInvalid_isRefusedAsAPage(String query) {
        visitor.given()
                .urlEncodingEnabled(false)
                .get("/console/keys?" + query)
                .then()
                .statusCode(400)
                .contentType("text/html;charset=UTF-8");
    }

    /** Of many keys, few are revoked or match the prefix. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            api_key_owner_prefix | lower(owner) ~>=~ lower('plan 77') and lower(owner) ~<~ lower('plan 77z')
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
        assertEquals(true, plan.contains(index), plan);
    }

    private TestKey issue(String owner, String plan) {
        return Operator.issue("{\"owner\":\"%s\",\"plan\":\"%s\"}".formatted(owner, plan));
    }

    private List<Long> search(String... parameters) {
        var request = visitor.given();
        for (int i = 0; i < parameters.length; i += 2) {
            request.queryParam(parameters[i], parameters[i + 1]);
        }
        return rows(
                request.get("/console/keys").then().statusCode(200).extract().asString());
    }

    private static List<Long> rows(String page) {
        return ROW.matcher(page)
                .results()
                .map(row -> Long.parseLong(row.group(1)))
                .toList();
    }
}
