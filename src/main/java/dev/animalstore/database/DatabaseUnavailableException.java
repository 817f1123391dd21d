package dev.animalstore.database;

/**
 * A statement was not sent because the database is known to be unavailable. There is no stack trace, since an outage causes thousands of
 * these.
 */
public final class DatabaseUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseUnavailableException() {
        super("The database is known to be unavailable", null, false, false);
    }
}
