package dev.animalstore.database;

import java.sql.SQLException;

/** A statement failed: because PostgreSQL is away, or by a defect, as its cause tells. It rolls the present transaction back. */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseException(SQLException cause) {
        super(cause);
    }
}
