package dev.animalstore.pet;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The statements of operations on pets. An identifier is drawn by the last statement before the commit, since a walk may miss a pet between
 * the two.
 */
@QuarkusTest
class CatalogueStatementsTest {
    private static final String KEY = " from api_key";

    private final TestKey key = TestKey.unlimited();

    /** Makes the key known, so that it costs no statement, and empties the memory of pages. */
    @BeforeEach
    void useTheKey() {
        get("/v1/store/orders");
        RedisState.changeCatalogue();
    }

    @Test
    void list_isOneStatementWithoutATransaction() {
        List<String> statements = Statements.around("from pet ", () -> get("/v1/pets"));

        assertThat(statements, contains(startsWith("select ")));
    }

    @Test
    void get_isOneStatementWithoutATransaction() {
        String pet = create(Map.of()).extract().path("id").toString();

        List<String> statements = Statements.around("from pet ", () -> get("/v1/pets/" + pet));

        assertThat(statements, contains(startsWith("select ")));
    }

    @Test
    void key_thatIsKnown_costsNoStatement() {
        List<String> statements = Statements.of(() -> get("/v1/pets"));

        assertThat(statements, hasItem(containsString(" from pet ")));
        assertThat(statements, not(hasItem(containsString(KEY))));
    }

    @Test
    void key_thatIsUnknown_isLookedUpByOneStatement() {
        List<String> statements =
                Statements.of(() -> TestKey.unlimited().given().get("/v1/pets"));

        assertThat(
                statements.stream().filter(statement -> statement.contains(KEY)).toList(), hasSize(1));
    }

    @Test
    void create_withoutAnIdempotencyKey_isOneStatementThatCommitsItself() {
        List<String> statements = Statements.around("insert into pet ", () -> create(Map.of()));

        assertThat(statements, contains(startsWith("insert into pet ")));
    }

    @Test
    void create_withAnIdempotencyKey_drawsTheIdentifierInTheLastStatementBeforeTheCommit() {
        Map<String, String> idempotencyKey =
                Map.of("Idempotency-Key", UUID.randomUUID().toString());

        List<String> statements = Statements.around("insert into pet ", () -> create(idempotencyKey));

        assertThat(
                statements,
                contains(
                        equalTo("BEGIN"),
                        startsWith("select pg_try_advisory_xact_lock("),
                        containsString(" from idempotency_key "),
                        startsWith("with added as (insert into pet "),
                        equalTo("COMMIT")));
    }

    private void get(String path) {
        key.given().get(path).then().statusCode(200);
    }

    private ValidatableResponse create(Map<String, String> headers) {
        return key.given()
                .headers(headers)
                .contentType("application/json")
                .body("{\"name\": \"Rex\", \"categoryId\": 3}")
                .post("/v1/pets")
                .then()
                .statusCode(201);
    }
}
