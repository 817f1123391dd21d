package dev.animalstore;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The rows of the tested application, read and written past its interface. */
public final class Rows {
    private Rows() {}

    /** Adds pets of one status; their identifiers in ascending order. */
    public static List<Long> addPets(int count, String status) {
        return query("insert into pet (name, category_id, status) select 'Row ' || n, n, '" + status
                + "' from generate_series(1, " + count + ") n returning id");
    }

    /** Adds orders of one status; their identifiers in ascending order. */
    public static List<Long> addOrders(int count, String status) {
        return query("insert into store_order (pet_id, quantity, status, complete) select n, n, '" + status
                + "', false from generate_series(1, " + count + ") n returning id");
    }

    /** The numbers in the first column, in ascending order. */
    public static List<Long> query(String sql) {
        try (Connection connection = Servers.connect();
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

    /** Runs statements that have no result. */
    public static void execute(String sql) {
        try (Connection connection = Servers.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
