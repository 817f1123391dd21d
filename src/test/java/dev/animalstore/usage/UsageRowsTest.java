package dev.animalstore.usage;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.TestServers;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queries and removal of rows. */
@QuarkusTest
class UsageRowsTest {
    @Inject
    UsageRemoval removal;

    @Test
    void removeOld_removesWhatIsOlderThanKept_andNothingElse() {
        TestKey key = TestKey.of("free");
        TestDatabase.execute("insert into usage_day (key_id, day, admitted, refused, banned)"
                + " select " + key.id() + ", (now() at time zone 'UTC')::date - n, 1, 0, 0"
                + " from generate_series(399, 400 + 2 * " + UsageRemoval.BATCH + ") n");
        removal.removeOld();
        assertThat(
                TestDatabase.query(
                        "select (now() at time zone 'UTC')::date - day from usage_day where key_id = " + key.id()),
                equalTo(List.of(399L, 400L)));
    }

    @Test
    void list_ofOneDay_isServedByTheIndexOfDays() throws SQLException {
        String plan = explain(UsageReports.ONE_DAY, "date '2026-01-01'", "5", "21");
        assertThat(plan, containsString("Index Scan using usage_day_day on usage_day"));
        assertThat(plan, not(containsString("Seq Scan")));
        assertThat(plan, not(containsString("Sort")));
    }

    @Test
    void list_ofSeveralDays_isServedByThePrimaryKeys() throws SQLException {
        String plan = explain(
                UsageReports.SEVERAL_DAYS, "date '2026-01-01'", "date '2026-01-30'", "5", "date '2026-01-05'", "21");
        assertThat(plan, containsString("Index Scan using api_key_pkey on api_key"));
        assertThat(plan, containsString("usage_day_pkey"));
        assertThat(plan, not(containsString("Seq Scan")));
    }

    @Test
    void days_ofOneKey_areServedByThePrimaryKey() throws SQLException {
        String query = "select * from usage_day where key_id = ?1 and day between ?2 and ?3 order by day";
        String plan = explain(query, "5", "date '2026-01-01'", "date '2026-01-30'");
        assertThat(plan, containsString("usage_day_pkey"));
        assertThat(plan, not(containsString("Seq Scan")));
    }

    @Test
    void removal_isServedByTheIndexOfDays() throws SQLException {
        String plan = explain(UsageRemoval.REMOVE_DAYS, "date '2026-01-02'", "1000");
        assertThat(plan, containsString("usage_day_day"));
        assertThat(plan, not(containsString("Seq Scan")));
    }

    /**
     * The query plan of a statement on large tables, whose rows are in the order of days, as they are collected. An index may be read by an index scan or a bitmap scan, depending on the order of
     * rows.
     */
    private static String explain(String sql, String... arguments) throws SQLException {
        String literal = sql;
        for (int i = 0; i < arguments.length; i++) {
            literal = literal.replace("?" + (i + 1), arguments[i]);
        }
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "insert into api_key (owner, plan)"
                            + " select case when n <= 2000 then 'plan' else 'unused' end, 'free' from generate_series(1, 22000) n");
            statement.execute("insert into usage_day (key_id, day, admitted, refused, banned)"
                    + " select id, date '2026-01-01' + n, 1, 0, 0 from api_key, generate_series(0, 29) n"
                    + " where owner = 'plan' order by n, id");
            statement.execute("analyze api_key; analyze usage_day");
            StringBuilder plan = new StringBuilder();
            try (var rows = statement.executeQuery("explain " + literal)) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            connection.rollback();
            return plan.toString();
        }
    }
}
