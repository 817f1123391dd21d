package dev.animalstore.store.pet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;

import dev.animalstore.fixture.MovedTicker;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The statements and Redis commands of operations on pets. An identifier is drawn by the last statement before the commit, since a walk may
 * miss a pet between the two.
 */
@QuarkusTest
class CatalogueStatementsTest {
    private static final String PAGE = "/v1/pets?limit=3&status=sold";

    @Inject
    MovedTicker time;

    private final TestKey key = TestKey.unlimited();

    /** Makes the key known, so that it costs no statement, and the page. */
    @BeforeEach
    void listPets() {
        TestDatabase.addPets(3, "sold");
        get(PAGE);
        get(PAGE);
    }

    @Test
    void listAndGet_areOneStatementWithoutATransaction() {
        String pet = create().extract().path("id").toString();
        for (String path : List.of("/v1/pets", "/v1/pets/" + pet)) {
            RedisState.changeCatalogue();
            assertLinesMatch(List.of("select .*"), Statements.around("from pet ", () -> get(path)));
        }
    }

    @Test
    void key_isLookedUpByOneStatementAndThenKnown() {
        TestKey unknown = TestKey.unlimited();
        Runnable list = () -> unknown.given().get("/v1/pets").then().statusCode(200);

        assertEquals(1, statements(" from metering.api_key", list).size());
        // The look may find that the key was added.
        Awaitility.await()
                .until(() -> statements(" from metering.api_key", list).isEmpty());
    }

    @Test
    void create_withoutAnIdempotencyKey_isOneStatementThatCommitsItself() {
        List<String> statements = Statements.around("insert into pet ", this::create);

        assertLinesMatch(List.of("insert into pet .*"), statements);
    }

    @Test
    void create_withANewIdempotencyKey_isOneStatementThatCommitsItself() {
        RequestSpecification request = rex().header("Idempotency-Key", UUID.randomUUID());

        List<String> statements = Statements.around("insert into pet ", () -> request.post("/v1/pets"));

        assertLinesMatch(List.of("with added as \\(insert into pet .*"), statements);
    }

    @Test
    void create_withAnOldIdempotencyKey_drawsTheIdentifierInTheLastStatementBeforeTheCommit() {
        RequestSpecification request = rex().header("Idempotency-Key", "old");
        request.post("/v1/pets");
        TestDatabase.execute("update idempotency_key set created_at = '-infinity' where caller = '" + key.id() + "'");

        List<String> statements = Statements.around("from idempotency_key known", () -> request.post("/v1/pets"));

        assertLinesMatch(
                List.of(
                        "BEGIN",
                        "select pg_try_advisory_xact_lock\\(.*",
                        ".* from idempotency_key .*",
                        "with added as \\(insert into pet .*",
                        "COMMIT"),
                statements.subList(statements.indexOf("BEGIN"), statements.size()));
    }

    @Test
    void page_listedBefore_costsNoStatementAndAnotherLimitStatusOrPlaceOne() {
        assertEquals(List.of(), pageStatements(() -> get(PAGE)));
        assertEquals(
                1, pageStatements(() -> get("/v1/pets?limit=4&status=sold")).size());
        assertEquals(1, pageStatements(() -> get("/v1/pets?limit=3")).size());
        String next = key.given().get(PAGE).header("Link").replaceAll("^<|>.*$", "");
        assertEquals(1, pageStatements(() -> get(next)).size());
        assertEquals(List.of(), pageStatements(() -> get(next)));
    }

    @Test
    void page_afterAnAddition_isReadOnce() {
        create();

        assertEquals(1, pageStatements(() -> get(PAGE)).size());
        assertEquals(List.of(), pageStatements(() -> get(PAGE)));
    }

    @Test
    void page_withoutAVersionInRedis_isReadAgain() {
        RedisState.forgetCatalogue();

        assertEquals(1, pageStatements(() -> get(PAGE)).size());
    }

    /** Redis may have refused what announces an addition, although it responds to reads. A write past the service tells the pages apart. */
    @Test
    void page_fromBeforeAProbeFailed_isNotServedAfterwards() {
        TestDatabase.execute("update pet set name = 'Renamed' where status = 'sold'");
        assertEquals(List.of(), pageStatements(() -> get(PAGE)));
        RedisState.refuseWrites(() ->
                Awaitility.await().until(() -> pageStatements(() -> get(PAGE)).size() == 1));

        Awaitility.await().until(() -> pageStatements(() -> get(PAGE)).isEmpty());
        key.given().get(PAGE).then().body("name", Matchers.everyItem(Matchers.equalTo("Renamed")));
        assertEquals(List.of(), pageStatements(() -> get(PAGE)));
    }

    /** While it did not probe Redis, an announcement may have failed. */
    @Test
    void page_fromBeforeThisReplicaPaused_isNotServedAfterwards() {
        get(PAGE);
        time.move(Duration.ofSeconds(1));

        assertEquals(1, pageStatements(() -> get(PAGE)).size());
        Awaitility.await().until(() -> pageStatements(() -> get(PAGE)).isEmpty());
    }

    @Test
    void requests_sendRedisTheDecisionAndTheCataloguesVersionIfTheyNeedIt() {
        assertEquals(List.of("evalsha", "hget"), RedisState.commands(key, () -> get(PAGE)));
        assertEquals(List.of("evalsha", "hset"), RedisState.commands(key, this::create));
        assertEquals(List.of("evalsha"), RedisState.commands(key, () -> get("/v1/store/orders")));
    }

    private static List<String> pageStatements(Runnable action) {
        return statements(" from pet ", action);
    }

    private static List<String> statements(String text, Runnable action) {
        return Statements.of(action).stream()
                .filter(statement -> statement.contains(text))
                .toList();
    }

    private void get(String path) {
        key.given().get(path).then().statusCode(200);
    }

    private ValidatableResponse create() {
        return rex().post("/v1/pets").then().statusCode(201);
    }

    private RequestSpecification rex() {
        return key.given().contentType("application/json").body("{\"name\": \"Rex\", \"categoryId\": 3}");
    }
}
