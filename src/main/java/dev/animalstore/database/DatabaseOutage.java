package dev.animalstore.database;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

/** Distinguishes a database that is temporarily unavailable from a wrong statement, which is a defect. */
public final class DatabaseOutage {
    /**
     * Classes of SQL states (the first two characters) that concern the server and not the statement: connection exception, insufficient
     * resources, operator intervention (shutdown, cancelled, recovering), system error. See the PostgreSQL manual, appendix "PostgreSQL
     * Error Codes".
     */
    private static final Set<String> OUTAGE_CLASSES = Set.of("08", "53", "57", "58");

    /** The server is read-only, as a standby is before its promotion; or it has ended the transaction of a replica that was frozen. */
    private static final Set<String> OUTAGES = Set.of("25006", "25P03");

    /** States that end one statement while the server runs others: the above, its disk is full, or the statement took too long. */
    private static final Set<String> PARTIAL = Set.of("25006", "25P03", "53100", "57014");

    private DatabaseOutage() {}

    public static boolean caused(Throwable failure) {
        return outages(failure).findAny().isPresent();
    }

    /**
     * The cause that shows that the whole server is unavailable. A rejection by this service's own thread pool says nothing about the
     * server.
     */
    static Optional<SQLException> findServerFailure(Throwable failure) {
        return outages(failure)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .filter(cause -> cause.getSQLState() == null || !PARTIAL.contains(cause.getSQLState()))
                .findFirst();
    }

    /** The message of the driver or the pool, for the log. There is no stack trace, since an outage causes thousands of failures. */
    public static String describe(Throwable failure) {
        return outages(failure).findFirst().orElse(failure).getMessage();
    }

    private static Stream<Throwable> outages(Throwable failure) {
        return causes(failure).filter(DatabaseOutage::isOutage);
    }

    /** All causes, including suppressed exceptions: a failed commit has its reason there. */
    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(20)
                .flatMap(cause -> Stream.concat(
                        Stream.of(cause), Arrays.stream(cause.getSuppressed()).flatMap(DatabaseOutage::causes)));
    }

    private static boolean isOutage(Throwable cause) {
        if (cause instanceof DatabaseUnavailableException
                || cause instanceof SQLTransientException
                || cause instanceof SQLRecoverableException
                || cause instanceof RejectedExecutionException) {
            return true;
        }
        if (!(cause instanceof SQLException sql)) {
            return false;
        }
        String state = sql.getSQLState();
        // The pool's own exceptions (no connection became free in time, the pool is closed) have no state.
        return state == null
                || OUTAGES.contains(state)
                || (state.length() == 5 && OUTAGE_CLASSES.contains(state.substring(0, 2)));
    }
}
