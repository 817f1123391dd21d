package dev.animalstore.pet;

import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The pets in the database. They are read and added in plain JDBC, since these are the statements that every request pays for: rows that
 * are never changed need no session that watches them, and a single insert no transaction, whose end is one more round trip.
 */
@Singleton
final class Catalogue {
    private static final String COLUMNS = "id, name, category_id, status";
    private static final String INSERT =
            "insert into pet (name, category_id, status) values (?, ?, ?) returning " + COLUMNS;
    private static final String FIND = "select " + COLUMNS + " from pet where id = ?";
    private static final String LIST = "select " + COLUMNS + " from pet where id > ? order by id limit ?";
    private static final String LIST_OF_STATUS =
            "select " + COLUMNS + " from pet where status = ? and id > ? order by id limit ?";

    private final DataSource database;

    Catalogue(DataSource database) {
        this.database = database;
    }

    /** Adds a pet, which is committed when this returns, unless there is a transaction. */
    Pet add(NewPet pet) throws SQLException {
        return query(INSERT, pet.name(), pet.categoryId(), pet.status().value()).get(0);
    }

    Optional<Pet> find(long id) throws SQLException {
        return query(FIND, id).stream().findFirst();
    }

    /** At most {@code count} pets after an identifier, of one status or of any, in ascending order of their identifiers. */
    List<Pet> list(Optional<PetStatus> status, long after, int count) throws SQLException {
        return status.isPresent()
                ? query(LIST_OF_STATUS, status.get().value(), after, count)
                : query(LIST, after, count);
    }

    private List<Pet> query(String sql, Object... parameters) throws SQLException {
        return Sql.query(database, Catalogue::pet, sql, parameters);
    }

    private static Pet pet(ResultSet row) throws SQLException {
        return new Pet(row.getLong(1), row.getString(2), row.getLong(3), PetStatus.of(row.getString(4)));
    }
}
