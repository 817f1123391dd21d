package dev.animalstore.pet;

import dev.animalstore.database.Database;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The pets in the database. */
@Singleton
final class Catalogue {
    private static final String COLUMNS = "id, name, category_id, status";

    /** Place holders: name, category, status; the columns of {@link #pet}. */
    static final String INSERT = "insert into pet (name, category_id, status) values (?, ?, ?) returning " + COLUMNS;

    private static final String FIND = "select " + COLUMNS + " from pet where id = ?";

    private final Database database;

    Catalogue(Database database) {
        this.database = database;
    }

    /** Adds a pet, which is committed when this returns. */
    Pet add(NewPet pet) {
        return database.query(
                        Catalogue::pet,
                        INSERT,
                        pet.name(),
                        pet.categoryId(),
                        pet.status().value())
                .get(0);
    }

    Optional<Pet> find(long id) {
        return database.find(Catalogue::pet, FIND, id);
    }

    /** At most {@code count} pets after an identifier, of one status or of any, in ascending order of their identifiers. */
    List<Pet> list(Optional<PetStatus> status, long after, int count) {
        return database.query(Catalogue::pet, list(status), after, count);
    }

    /** A status stands in the statement itself, not in a place holder, since each has an index of its own. */
    static String list(Optional<PetStatus> status) {
        String ofStatus =
                status.map(one -> "status = '" + one.value() + "' and ").orElse("");
        return "select " + COLUMNS + " from pet where " + ofStatus + "id > ? order by id limit ?";
    }

    /** The pet in a row of a result. */
    static Pet pet(ResultSet row) throws SQLException {
        return new Pet(row.getLong(1), row.getString(2), row.getLong(3), PetStatus.of(row.getString(4)));
    }
}
