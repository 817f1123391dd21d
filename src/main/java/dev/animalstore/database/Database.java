package dev.animalstore.database;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Runs one statement: in the present transaction where there is one, else committed by itself. Parameters stand in its place holders;
 * besides JDBC's types they may be an {@link Instant}, {@code null} or an array. Every method throws {@link DatabaseException}.
 */
@Singleton
public final class Database {
    private final DataSource connections;
    private final DatabaseBreaker breaker;

    Database(DataSource connections, DatabaseBreaker breaker) {
        this.connections = connections;
        this.breaker = breaker;
    }

    /** All rows, as {@code mapper} has them. */
    public <T> List<T> query(RowMapper<T> mapper, String sql, Object... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            List<T> result = new ArrayList<>();
            while (rows.next()) {
                result.add(mapper.map(rows));
            }
            return result;
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /** The first row, if there is any. */
    public <T> Optional<T> find(RowMapper<T> mapper, String sql, Object... parameters) {
        return query(mapper, sql, parameters).stream().findFirst();
    }

    /** How many rows were changed. */
    public int update(String sql, Object... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /** The time in a column; {@code null} where there is none. */
    public static Instant instant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private Connection connect() throws SQLException {
        breaker.demandDatabase();
        return connections.getConnection();
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            Object parameter = parameters[i];
            statement.setObject(i + 1, parameter instanceof Instant time ? time.atOffset(ZoneOffset.UTC) : parameter);
        }
        return statement;
    }

    /** Makes something of the row that a result stands at. */
    @FunctionalInterface
    public interface RowMapper<T> {
        /** What the row stands for. */
        T map(ResultSet row) throws SQLException;
    }
}
