package dev.animalstore.pet;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.Statements;
import dev.animalstore.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An identifier is drawn by the last statement before the commit, since a walk may miss a pet between the two. */
@QuarkusTest
class CreateStatementsTest {
    private final TestKey key = TestKey.unlimited();

    /** So that the key is known, and costs no statement. */
    @BeforeEach
    void useTheKey() {
        key.given().get("/v1/store/orders").then().statusCode(200);
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

    private void create(Map<String, String> headers) {
        key.given()
                .headers(headers)
                .contentType("application/json")
                .body("{\"name\": \"Rex\", \"categoryId\": 3}")
                .post("/v1/pets")
                .then()
                .statusCode(201);
    }
}
