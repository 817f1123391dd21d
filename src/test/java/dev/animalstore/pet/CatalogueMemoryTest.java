package dev.animalstore.pet;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.arrayWithSize;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements and commands that lists cost. */
@QuarkusTest
class CatalogueMemoryTest {
    private static final String PAGE = "/v1/pets?limit=3&status=sold";

    private static final int AT_ONCE = 10;

    private final TestKey key = TestKey.unlimited();

    @BeforeEach
    void addPets() {
        TestDatabase.addPets(3, "sold");
        list(PAGE);
        list(PAGE);
    }

    @Test
    void page_listedBefore_costsNoStatement() {
        assertThat(statements(() -> list(PAGE)), empty());
    }

    @Test
    void page_ofAnotherLimitOrStatusOrPlace_isReadSeparately() {
        assertThat(statements(() -> list("/v1/pets?limit=4&status=sold")), hasSize(1));
        assertThat(statements(() -> list("/v1/pets?limit=3")), hasSize(1));
        String next = key.given().get(PAGE).header("Link").replaceAll("^<|>.*$", "");
        assertThat(statements(() -> list(next)), hasSize(1));
        assertThat(statements(() -> list(next)), empty());
    }

    @Test
    void page_afterAPetWasAdded_isReadAgain() {
        // A full page would stay in memory.
        TestDatabase.changePets("update pet set status = 'available' where status = 'pending'");
        String all = "/v1/pets?limit=100&status=pending";
        list(all);
        create();

        assertThat(statements(() -> list(all)), hasSize(1));
        assertThat(statements(() -> list(all)), empty());
    }

    @Test
    void page_thatOthersFollow_isKeptWhenAPetIsAddedAfterThem() {
        TestDatabase.addPets(4, "sold");
        list(PAGE);

        assertThat(
                statements(() -> {
                    for (int n = 0; n < 20; n++) {
                        create();
                        list(PAGE);
                    }
                }),
                empty());
    }

    @Test
    void page_afterMoreAdditionsThanAVersionLists_isReadAgain() {
        TestDatabase.addPets(4, "sold");
        list(PAGE);
        for (int n = 0; n < 17; n++) {
            create();
        }

        assertThat(RedisState.catalogue().split(","), arrayWithSize(16));
        assertThat(statements(() -> list(PAGE)), hasSize(1));
    }

    @Test
    void page_withoutAVersionInRedis_isReadAgain() {
        RedisState.forgetCatalogue();

        assertThat(statements(() -> list(PAGE)), hasSize(1));
    }

    @Test
    void page_requestedByManyAtOnce_isReadOnce() {
        RedisState.changeCatalogue();

        List<String> statements = statements(() -> {
            try (Connection holder = TestServers.connect();
                    Statement lock = holder.createStatement()) {
                holder.setAutoCommit(false);
                lock.execute("lock table pet in access exclusive mode");
                List<CompletableFuture<Void>> lists = Stream.generate(
                                () -> CompletableFuture.runAsync(() -> list(PAGE), run -> new Thread(run).start()))
                        .limit(AT_ONCE)
                        .toList();
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> TestDatabase.query("select 1 from pg_locks where not granted")
                                        .size()
                                == 1);
                holder.rollback();
                lists.forEach(CompletableFuture::join);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(
                statements.stream()
                        .filter(statement -> statement.startsWith("select p1_0"))
                        .toList(),
                hasSize(1));
    }

    @Test
    void list_sendsRedisTheDecisionAndOneRead() {
        assertThat(RedisState.commands(key, () -> list(PAGE)), contains("hget", "evalsha"));
    }

    @Test
    void create_sendsRedisTheDecisionAndOneWrite() {
        assertThat(RedisState.commands(key, this::create), contains("evalsha", "evalsha"));
    }

    @Test
    void otherRequests_sendRedisTheDecisionOnly() {
        assertThat(RedisState.commands(key, () -> key.given().get("/v1/store/orders")), contains("evalsha"));
    }

    @Test
    void metrics_countPagesBySourceAndShowTheMemoryInUse() {
        String metrics = RestAssured.get("/q/metrics").asString();

        assertThat(
                List.of(metrics.split("\n")),
                hasItem(containsString("animalstore_catalogue_pages_total{source=\"memory\"}")));
        assertThat(metrics, not(containsString("animalstore_catalogue_memory_bytes 0.0")));
    }

    private List<String> statements(Runnable action) {
        return Statements.of(action).stream()
                .filter(statement -> statement.contains(" from pet "))
                .toList();
    }

    private void list(String page) {
        key.given().get(page).then().statusCode(200);
    }

    private void create() {
        key.given()
                .contentType("application/json")
                .body("{\"name\": \"Rex\", \"categoryId\": 3}")
                .post("/v1/pets")
                .then()
                .statusCode(201);
    }
}
