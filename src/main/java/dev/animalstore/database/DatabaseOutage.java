package dev.animalstore.database;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

/** Tells a database that cannot serve at the moment, which passes, from a statement that is wrong, which is a defect. */
public final class DatabaseOutage {
    /**
     * Classes of SQL states (the first two characters) that speak of the server and not of the statement: connection exception,
     * insufficient resources, operator intervention (shutdown, cancelled, recovering), system error.
     * See the PostgreSQL manual, appendix "PostgreSQL Error Codes".
     */
    private static final Set<String> OUTAGE_CLASSES = Set.of("08", "53", "57", "58");

    /** The server is read-only, as a standby is before its promotion. */
    private static final String READ_ONLY = "25006";

    /** What ends one statement while the server serves others: it is read-only, its disk is full, or the statement took too long. */
    private static final Set<String> PARTIAL = Set.of(READ_ONLY, "53100", "57014");

    private DatabaseOutage() {}

    /** Whether it was an outage that made a request fail. */
    public static boolean caused(Throwable failure) {
        return causes(failure).anyMatch(DatabaseOutage::isOutage);
    }

    /** What says that the server serves nobody. What this service has no thread for says nothing of the server. */
    static Optional<SQLException> findServerFailure(Throwable failure) {
        return causes(failure)
                .filter(DatabaseOutage::isOutage)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .filter(cause -> cause.getSQLState() == null || !PARTIAL.contains(cause.getSQLState()))
                .findFirst();
    }

    /** What the log says of it: the message of the driver or the pool, without a stack trace, since outages come in thousands. */
    public static String describe(Throwable failure) {
        Optional<Throwable> outage =
                causes(failure).filter(DatabaseOutage::isOutage).findFirst();
        return outage.orElse(failure).getMessage();
    }

    /** All causes, and those of what was suppressed on the way: a commit that fails has its reason there. */
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
                || state.equals(READ_ONLY)
                || (state.length() == 5 && OUTAGE_CLASSES.contains(state.substring(0, 2)));
    }
}
