package dev.animalstore.store.pet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;

/** How a page of a large catalogue is read: by an index only, and no further than the page. */
@QuarkusTest
class PetPageTest {
    private static final int PETS = 20_000;
    private static final int PAGE = 20;

    private final TestKey key = TestKey.unlimited();

    @ParameterizedTest
    @NullSource
    @EnumSource
    void page_fromTheMiddle_readsTheIndexOfItsStatusOrThePrimaryKey(PetStatus status) throws Exception {
        String index = status == null ? "pet_pkey" : "pet_" + status.value;
        String filter = status == null ? "" : "&status=" + status.value;
        String list = "/v1/pets?limit=" + (PAGE - 1) + filter;
        String sql = Statements.around(
                        "from pet ", () -> key.given().get(list).then().statusCode(200))
                .stream()
                .filter(statement -> statement.contains(" from pet "))
                .findFirst()
                .orElseThrow();
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "insert into pet (name, category_id, status) select 'Many', n, (array['available', 'pending', 'sold'])"
                            + "[1 + n % 3] from generate_series(1, " + PETS + ") n");
            statement.execute("analyze pet");
            statement.execute("prepare page (bigint, int, int) as " + sql);
            String middle = TestDatabase.column(statement, "select max(id) - " + PETS / 2 + " from pet")
                    .get(0);
            String explain = "explain (analyze, format json) execute page (" + middle + ", 0, " + PAGE + ")";
            String plan = String.join("\n", TestDatabase.column(statement, explain));
            connection.rollback();

            JsonNode limit = new ObjectMapper().readTree(plan).at("/0/Plan");
            assertEquals("Limit", limit.at("/Node Type").textValue(), plan);
            JsonNode scan = limit.at("/Plans/0");
            assertEquals("Index Scan", scan.at("/Node Type").textValue(), plan);
            assertEquals(index, scan.at("/Index Name").textValue(), plan);
            assertEquals(PAGE, scan.at("/Actual Rows").asInt(), plan);
            assertTrue(scan.at("/Filter").isMissingNode(), plan);
        }
    }
}
