package dev.animalstore.order;

import dev.animalstore.database.Database;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The orders in the database, which another system writes. */
@Singleton
final class OrderBook {
    private static final String COLUMNS = "id, pet_id, quantity, ship_date, status, complete";

    private final Database database;

    OrderBook(Database database) {
        this.database = database;
    }

    /** At most {@code count} orders after an identifier, of one status or of any, in ascending order of their identifiers. */
    List<Order> list(Optional<OrderStatus> status, long after, int count) {
        // A status stands in the statement itself, not in a place holder, since each has an index of its own.
        String ofStatus =
                status.map(one -> "status = '" + one.value() + "' and ").orElse("");
        String sql = "select " + COLUMNS + " from store_order where " + ofStatus + "id > ? order by id limit ?";
        return database.query(OrderBook::order, sql, after, count);
    }

    private static Order order(ResultSet row) throws SQLException {
        return new Order(
                row.getLong(1),
                row.getLong(2),
                row.getInt(3),
                Database.instant(row, 4),
                OrderStatus.of(row.getString(5)),
                row.getBoolean(6));
    }
}
