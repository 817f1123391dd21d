package dev.animalstore.local;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.Quota;
import dev.animalstore.metering.quota.QuotaLimiter;
import dev.animalstore.metering.quota.Subject;
import dev.animalstore.metering.quota.SubjectId;
import dev.animalstore.redis.RedisClient;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
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

/** The first page of development, and the demonstration data, in a transaction that sees no other keys and is rolled back. */
@QuarkusTest
class DemoDataTest {
    /** Where the free key is documented, or preset. */
    private static final List<String> DOCUMENTED =
            List.of("README.md", "docs/api.md", "src/main/resources/application.properties");

    private Connection database;
    private Statement statement;
    private List<List<String>> hashes;

    @Inject
    RedisClient redis;

    @Inject
    QuotaLimiter quotas;

    @BeforeEach
    void fill() throws Exception {
        database = TestServers.connect();
        database.setAutoCommit(false);
        statement = database.createStatement();
        statement.execute("truncate api_key restart identity cascade; delete from usage_day; delete from key_change");
        hashes = fillAgain();
    }

    private List<List<String>> fillAgain() throws Exception {
        return DemoData.fill(database, redis.prefix());
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
            BearerKey key = BearerKey.parse(text.group(1), "ask_test_").orElseThrow();
            assertEquals("Demonstration (" + plan + ")", find("owner from api_key where id = " + id));
            String secret =
                    key.hint() + " " + HexFormat.of().formatHex(key.hash().bytes());
            assertEquals(secret, find("hint || ' ' || encode(hash, 'hex') from api_key_secret where key_id = " + id));
            assertEquals("59", find("count(*) from usage_day where key_id = " + id));
            String hash = redis.prefix() + "{" + id + "-";
            assertTrue(hashes.stream().noneMatch(fields -> fields.get(0).startsWith(hash)));
        }
    }

    /** As the console shows it. */
    @Test
    void quotas_areThoseOfTheDemonstration() throws SQLException {
        hashes.forEach(hash -> send(Command.HSET, hash));
        try {
            assertEquals(Outcome.BANNED, quota("Kitten Cam").outcome());
            Decision near = quota("Happy Tails Adoption");
            assertEquals(Outcome.ADMITTED, near.outcome());
            assertTrue(near.day().remaining() < near.day().limit() / 5, near.toString());
        } finally {
            hashes.forEach(hash -> send(Command.DEL, hash.subList(0, 1)));
        }
    }

    private void send(Command name, List<String> words) {
        Request command = Request.cmd(name);
        words.forEach(command::arg);
        redis.send(command).toCompletionStage().toCompletableFuture().join();
    }

    private Decision quota(String owner) throws SQLException {
        String key = "from api_key k join plan p on p.name = plan where owner = '" + owner + "'";
        SubjectId id = new SubjectId(
                Long.parseLong(find("k.id " + key)),
                Long.parseLong(find("cast(extract(epoch from created_at) * 1000000 as bigint) " + key)));
        Quota limits =
                new Quota(Integer.parseInt(find("p.per_minute " + key)), Integer.parseInt(find("p.per_day " + key)));
        return quotas.peek(new Subject(id, 1, limits, Subject.NEVER))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Test
    void secondStart_addsNothingAndBansNobody() throws Exception {
        String count =
                "sum((xpath('//n/text()', query_to_xml(format('select count(*) n from %I', tablename), true, true,"
                        + " '')))[1]::text::integer) from pg_tables where schemaname = 'public'";
        String before = find(count);
        statement.execute("drop table customer, unchanged");
        assertTrue(fillAgain().stream().noneMatch(hash -> hash.contains("be")));
        assertEquals(before, find(count));
    }

    @Test
    void changesOfKeys_nameTheirOperators() throws Exception {
        String changes = "string_agg(c.operator || ' ' || action, ', ' order by c.id)"
                + " from key_change c join api_key k on k.id = key_id where owner = ";
        assertEquals("billing issueKey, alice rotateKey", find(changes + "'VetCare Group'"));
        assertEquals("alice issueKey, alice revokeKey", find(changes + "'Gecko Garden'"));
    }

    @Test
    void databaseWithOtherKeys_isLeftAlone() throws Exception {
        statement.execute("truncate api_key restart identity cascade; drop table customer, unchanged;"
                + " insert into api_key (owner, plan) values ('Somebody', 'free')");
        assertEquals(List.of(), fillAgain());
        assertEquals("1", find("count(*) from api_key"));
    }

    private String find(String query) throws SQLException {
        return TestDatabase.column(statement, "select " + query).get(0);
    }

    @Test
    void page_ofThisMachine_showsTheTokenAndWhatRunsWhere() {
        given().header("Host", "127.0.0.1:8080")
                .get("/")
                .then()
                .statusCode(200)
                .contentType("text/html;charset=UTF-8")
                .header("Content-Security-Policy", containsString("default-src 'self'"))
                .body(containsString("<code>http://127.0.0.1:8080/v1</code>"))
                .body(containsString("<code id=\"operators\">" + Operator.TOKEN + "</code>"));
    }

    /** A page elsewhere can read this one through a name of its own that leads here (DNS rebinding). */
    @Test
    void page_ofAnotherHost_doesNotShowTheToken() {
        given().redirects()
                .follow(false)
                .header("Host", "animals.example")
                .get("/")
                .then()
                .statusCode(302);
    }
}
