package dev.animalstore.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.BearerKey.Environment;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The demonstration data, in a transaction that sees no other keys and is rolled back. */
@QuarkusTest
class DemoDataTest {
    /** Where the free key is documented, or preset. */
    private static final List<String> DOCUMENTED =
            List.of("README.md", "docs/api.md", "src/main/resources/application.properties");

    private Connection database;
    private Statement statement;
    private List<String> hashes;

    @BeforeEach
    void fill() throws Exception {
        database = TestServers.connect();
        database.setAutoCommit(false);
        statement = database.createStatement();
        statement.execute("truncate api_key restart identity cascade; delete from usage_day");
        hashes = DemoData.fill(database).lines().toList();
    }

    @AfterEach
    void rollBack() throws SQLException {
        database.rollback();
        database.close();
    }

    @Test
    void documentedKeys_areTheFirstFourAndHaveTheirWholeQuotaToday() throws Exception {
        String page = Files.readString(Path.of(DemoData.FOLDER, "welcome.html"));
        for (int id = 1; id <= 4; id++) {
            String plan = find("plan from api_key where id = " + id);
            Matcher text = Pattern.compile("id=\"" + plan + "\">(.*?)</code>").matcher(page);
            assertTrue(text.find(), plan);
            for (String file : id > 1 ? List.<String>of() : DOCUMENTED) {
                assertTrue(Files.readString(Path.of(file)).contains(text.group(1)), file);
            }
            BearerKey key = BearerKey.parse(text.group(1), Environment.TEST).orElseThrow();
            assertEquals("Demonstration (" + plan + ")", find("owner from api_key where id = " + id));
            String secret =
                    key.hint() + " " + HexFormat.of().formatHex(key.hash().bytes());
            assertEquals(secret, find("hint || ' ' || encode(hash, 'hex') from api_key_secret where key_id = " + id));
            assertEquals("59", find("count(*) from usage_day where key_id = " + id));
            String hash = id + " ";
            assertTrue(hashes.stream().noneMatch(line -> line.startsWith(hash)));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            44     | count(*) from api_key
            44     | count(distinct owner) from api_key
            60     | count(distinct day) from usage_day
            true   | sum(refused) > 10 * sum(refused) filter (where day < current_date - 20) from usage('Petwalk App')
            true   | sum(refused) filter (where extract(isodow from day) = 1) > 0 from usage('Northgate Veterinary Clinic')
            0      | sum(refused) filter (where extract(isodow from day) <> 1) from usage('Northgate Veterinary Clinic')
            true   | banned > 0 from usage('Kitten Cam') where day = (now() at time zone 'UTC')::date
            2      | count(*) from api_key join api_key_secret s on key_id = api_key.id where owner = 'VetCare Group'
            3 days | expires_at - now() from api_key where owner = 'Safari Park Tickets'
            true   | revoked_at < now() - interval '11 days' from api_key where owner = 'Gecko Garden'
            true   | max(day) <= current_date - 12 from usage('Gecko Garden')
            0      | count(*) from usage('Maple Street School')
            true   | last_used_at is null from api_key where owner = 'Maple Street School'
            0      | count(*) from api_key where last_used_at is null and owner <> 'Maple Street School'
            240    | refused from usage('Kitten Cam') where day = (now() at time zone 'UTC')::date
            """)
    void story_isInTheData(String expected, String query) throws SQLException {
        statement.execute("""
                create function usage(name text) returns setof usage_day language sql as
                'select u.* from usage_day u join api_key k on k.id = u.key_id where owner = name'""");
        assertEquals(expected, find(query).replaceFirst("^t$", "true"));
    }

    @Test
    void bannedKey_isBannedInRedis() throws SQLException {
        List<String> bans =
                hashes.stream().filter(hash -> hash.contains(" be ")).toList();
        assertEquals(1, bans.size());
        assertTrue(bans.get(0).startsWith(find("id from api_key where owner = 'Kitten Cam'") + " "), bans.get(0));
        assertTrue(Long.parseLong(bans.get(0).replaceFirst(".* be ([0-9]+).*", "$1")) > System.currentTimeMillis());
    }

    @Test
    void secondStart_addsNothingAndBansNobody() throws Exception {
        String count =
                "(select count(*) from pet) + (select count(*) from api_key_secret) + (select count(*) from usage_day)";
        String before = find(count);
        statement.execute("drop table customer");
        assertFalse(DemoData.fill(database).contains(" be "));
        assertEquals(before, find(count));
    }

    @Test
    void startOnALaterDay_movesTheDatesOfKeysThatNobodyHasChanged() throws Exception {
        String dates =
                "string_agg(concat_ws(' ', owner, k.expires_at, revoked_at, s.created_at, rotated_at, s.expires_at), ', ' order by s.id)"
                        + " from api_key k join api_key_secret s on key_id = k.id where owner in ('Gecko Garden', 'VetCare Group')";
        String before = find(dates);
        statement.execute(
                "update api_key set expires_at = expires_at - interval '2 days', revoked_at = revoked_at - interval '2 days';"
                        + " update api_key_secret set rotated_at = rotated_at - interval '2 days', expires_at = expires_at - interval '2 days';"
                        + " update api_key set version = 2 where owner = 'Safari Park Tickets'; drop table customer");
        DemoData.fill(database);
        assertEquals(before, find(dates));
        assertEquals("1 day", find("expires_at - now() from api_key where owner = 'Safari Park Tickets'"));
    }

    @Test
    void databaseWithOtherKeys_isLeftAlone() throws Exception {
        statement.execute("truncate api_key restart identity cascade; drop table customer;"
                + " insert into api_key (owner, plan) values ('Somebody', 'free')");
        assertEquals("", DemoData.fill(database));
        assertEquals("1", find("count(*) from api_key"));
    }

    private String find(String query) throws SQLException {
        return TestDatabase.column(statement, "select " + query).get(0);
    }
}
