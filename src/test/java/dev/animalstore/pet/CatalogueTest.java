package dev.animalstore.pet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.TestTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How PostgreSQL reads a page of a large catalogue: by an index only, and no further than the page. */
@QuarkusTest
class CatalogueTest {
    private static final int PETS = 20_000;
    private static final int PAGE = 20;

    @Inject
    DataSource connections;

    private final TestKey key = TestKey.unlimited();

    @Test
    @TestTransaction
    void page_fromTheMiddle_readsThePrimaryKey() throws Exception {
        assertReadsOnlyThePage("pet_pkey", Optional.empty());
    }

    @ParameterizedTest
    @EnumSource
    @TestTransaction
    void pageOfAStatus_fromTheMiddle_readsItsIndex(PetStatus status) throws Exception {
        assertReadsOnlyThePage("pet_" + status.value(), Optional.of(status));
    }

    private void assertReadsOnlyThePage(String index, Optional<PetStatus> status) throws Exception {
        String filter = status.map(one -> "&status=" + one.value()).orElse("");
        String sql = Statements.around(
                        "from pet ",
                        () -> key.given()
                                .get("/v1/pets?limit=" + (PAGE - 1) + filter)
                                .then()
                                .statusCode(200))
                .stream()
                .filter(statement -> statement.contains(" from pet "))
                .findFirst()
                .orElseThrow();
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "insert into pet (name, category_id, status) select 'Many', n, (array['available', 'pending', 'sold'])"
                            + "[1 + n % 3] from generate_series(1, " + PETS + ") n");
            statement.execute("analyze pet");
            statement.execute("prepare " + index + " (bigint, int, int) as " + sql);
            long middle = number(statement, "select max(id) - " + PETS / 2 + " from pet");

            JsonNode limit = explain(statement, index + " (" + middle + ", 0, " + PAGE + ")");

            assertEquals("Limit", limit.at("/Node Type").textValue(), limit::toPrettyString);
            JsonNode scan = limit.at("/Plans/0");
            assertEquals("Index Scan", scan.at("/Node Type").textValue(), limit::toPrettyString);
            assertEquals(index, scan.at("/Index Name").textValue(), limit::toPrettyString);
            assertEquals(PAGE, scan.at("/Actual Rows").asInt(), limit::toPrettyString);
            assertTrue(scan.at("/Filter").isMissingNode(), limit::toPrettyString);
        }
    }

    private static JsonNode explain(Statement statement, String execution)
            throws SQLException, JsonProcessingException {
        try (ResultSet rows = statement.executeQuery("explain (analyze, format json) execute " + execution)) {
            assertTrue(rows.next());
            return new ObjectMapper().readTree(rows.getString(1)).at("/0/Plan");
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }
}
