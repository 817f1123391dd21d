package dev.animalstore.database;

import java.sql.SQLException;

/** A statement failed: because PostgreSQL is away, or by a defect, as its cause tells. It rolls the present transaction back. */
public sealed class DatabaseException extends RuntimeException permits DatabaseAwayException {
    private static final long serialVersionUID = 1L;

    DatabaseException(SQLException cause) {
        super(cause);
    }

    /** Of what has no cause but is known, without a stack trace. */
    DatabaseException(String message) {
        super(message, null, false, false);
    }
}
