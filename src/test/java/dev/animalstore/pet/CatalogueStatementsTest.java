package dev.animalstore.pet;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The statements and Redis commands of operations on pets. An identifier is drawn by the last statement before the commit, since a walk may
 * miss a pet between the two.
 */
@QuarkusTest
class CatalogueStatementsTest {
    private static final String PAGE = "/v1/pets?limit=3&status=sold";

    private static final int AT_ONCE = 10;

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
            assertThat(Statements.around("from pet ", () -> get(path)), contains(startsWith("select ")));
        }
    }

    @Test
    void key_isLookedUpByOneStatementAndThenKnown() {
        TestKey unknown = TestKey.unlimited();
        Runnable list = () -> unknown.given().get("/v1/pets").then().statusCode(200);

        assertThat(statements(" from api_key", list), hasSize(1));
        assertThat(statements(" from api_key", list), empty());
    }

    @Test
    void create_withoutAnIdempotencyKey_isOneStatementThatCommitsItself() {
        List<String> statements = Statements.around("insert into pet ", this::create);

        assertThat(statements, contains(startsWith("insert into pet ")));
    }

    @Test
    void create_withAnIdempotencyKey_drawsTheIdentifierInTheLastStatementBeforeTheCommit() {
        RequestSpecification request = rex().header("Idempotency-Key", UUID.randomUUID());

        List<String> statements = Statements.around("insert into pet ", () -> request.post("/v1/pets"));

        assertThat(
                statements,
                contains(
                        equalTo("BEGIN"),
                        startsWith("select pg_try_advisory_xact_lock("),
                        containsString(" from idempotency_key "),
                        startsWith("with added as (insert into pet "),
                        equalTo("COMMIT")));
    }

    @Test
    void page_listedBefore_costsNoStatementAndAnotherLimitStatusOrPlaceOne() {
        assertThat(pageStatements(() -> get(PAGE)), empty());
        assertThat(pageStatements(() -> get("/v1/pets?limit=4&status=sold")), hasSize(1));
        assertThat(pageStatements(() -> get("/v1/pets?limit=3")), hasSize(1));
        String next = key.given().get(PAGE).header("Link").replaceAll("^<|>.*$", "");
        assertThat(pageStatements(() -> get(next)), hasSize(1));
        assertThat(pageStatements(() -> get(next)), empty());
    }

    @Test
    void page_afterAnAddition_isReadOnce() {
        create();

        assertThat(pageStatements(() -> get(PAGE)), hasSize(1));
        assertThat(pageStatements(() -> get(PAGE)), empty());
    }

    @Test
    void page_withoutAVersionInRedis_isReadAgain() {
        RedisState.forgetCatalogue();

        assertThat(pageStatements(() -> get(PAGE)), hasSize(1));
    }

    @Test
    void page_requestedByManyAtOnce_isReadOnce() {
        RedisState.changeCatalogue();

        List<CompletableFuture<Void>> lists = new ArrayList<>();
        List<String> pages = pageStatements(() -> {
            TestDatabase.during("lock table pet in access exclusive mode", () -> {
                Stream.generate(() -> CompletableFuture.runAsync(() -> get(PAGE), run -> new Thread(run).start()))
                        .limit(AT_ONCE)
                        .forEach(lists::add);
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> TestDatabase.query("select 1 from pg_locks where not granted")
                                        .size()
                                == 1);
            });
            lists.forEach(CompletableFuture::join);
        });

        assertThat(pages, hasSize(1));
    }

    @Test
    void requests_sendRedisTheDecisionAndTheCataloguesVersionIfTheyNeedIt() {
        assertThat(RedisState.commands(key, () -> get(PAGE)), contains("hget", "evalsha"));
        assertThat(RedisState.commands(key, this::create), contains("evalsha", "hset"));
        assertThat(RedisState.commands(key, () -> get("/v1/store/orders")), contains("evalsha"));
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
