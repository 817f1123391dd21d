package dev.animalstore;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The rows of the tested application, read and written past its interface. */
public final class TestDatabase {
    /** A view of orders that fails as a server does that is being stopped. */
    public static final String OUT_OF_REACH =
            "select cast(shutdown() as bigint) as id, 1 as pet_id, 1 as quantity, now() as ship_date,"
                    + " 'placed' as status, false as complete";

    private TestDatabase() {}

    /** Adds pets of one status; their identifiers in ascending order. */
    public static List<Long> addPets(int count, String status) {
        return add("insert into pet (name, category_id, status) select 'Row ' || n, n, '" + status
                + "' from generate_series(1, " + count + ") n returning id");
    }

    /** Adds orders of one status; their identifiers in ascending order. */
    public static List<Long> addOrders(int count, String status) {
        return query("insert into store_order (pet_id, quantity, status, complete) select n, n, '" + status
                + "', false from generate_series(1, " + count + ") n returning id");
    }

    /** Adds pets by a statement that returns their identifiers. */
    public static List<Long> add(String insertion) {
        List<Long> identifiers = query(insertion);
        RedisState.changeCatalogue();
        return identifiers;
    }

    /** The numbers in the first column, in ascending order. */
    public static List<Long> query(String sql) {
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            numbers.sort(null);
            return numbers;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The lines in the first column, as of a plan. */
    public static String text(String sql) {
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            StringBuilder lines = new StringBuilder();
            while (rows.next()) {
                lines.append(rows.getString(1)).append('\n');
            }
            return lines.toString();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs statements that have no result. */
    public static void execute(String sql) {
        try (Connection connection = TestServers.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs statements that change pets. */
    public static void changePets(String sql) {
        execute(sql);
        RedisState.changeCatalogue();
    }

    /** Puts a view in the place of the orders' table for a while. */
    public static void whileOrdersAre(String view, Runnable action) {
        execute("create or replace function shutdown() returns text language plpgsql as $$ begin"
                + " raise exception 'terminating connection' using errcode = '57P01'; end $$");
        execute("alter table store_order rename to kept_order; create view store_order as " + view);
        try {
            action.run();
        } finally {
            execute("drop view store_order; alter table kept_order rename to store_order");
        }
    }
}
