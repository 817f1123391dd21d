package dev.animalstore.database;

/** A statement was not even tried, since the database is known to be away. It carries no stack trace: under load it comes in thousands. */
public final class DatabaseUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseUnavailableException() {
        super("The database is known to be unavailable", null, false, false);
    }
}
