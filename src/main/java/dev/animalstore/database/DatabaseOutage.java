package dev.animalstore.database;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Distinguishes a database that is temporarily unavailable from a wrong statement, which is a defect. */
final class DatabaseOutage {
    /**
     * SQL states that concern the server and not the statement, by the PostgreSQL manual, appendix "PostgreSQL Error Codes": the classes
     * connection exception, insufficient resources, operator intervention (shutdown, cancelled, recovering) and system error; the server is
     * read-only, as a standby is before its promotion; and it has ended the transaction of a replica that was frozen.
     */
    private static final Pattern STATES = Pattern.compile("(?:08|53|57|58).{3}|25006|25P03");

    /** States that end one statement while the server runs others: its disk is full, or the statement took too long, for example. */
    private static final Pattern PARTIAL = Pattern.compile("25006|25P03|53100|57014");

    private DatabaseOutage() {}

    /** Those of the causes of a failure, itself included, that show an outage. There are none if the failure is a defect. */
    static List<Throwable> causes(Throwable failure) {
        return all(failure).filter(DatabaseOutage::isOutage).toList();
    }

    /** Whether an outage is one of the whole server. A rejection by the breaker or a thread pool of this service says nothing about the server. */
    static boolean isOfServer(Throwable outage) {
        return outage instanceof SQLException sql
                && (sql.getSQLState() == null
                        || !PARTIAL.matcher(sql.getSQLState()).matches());
    }

    /** All causes, including suppressed exceptions: a failed commit has its reason there. */
    private static Stream<Throwable> all(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(20)
                .flatMap(cause -> Stream.concat(
                        Stream.of(cause), Arrays.stream(cause.getSuppressed()).flatMap(DatabaseOutage::all)));
    }

    private static boolean isOutage(Throwable cause) {
        if (cause instanceof SQLException sql) {
            // The pool's own exceptions (no connection became free in time, the pool is closed) have no state.
            return sql.getSQLState() == null
                    || STATES.matcher(sql.getSQLState()).matches();
        }
        return cause instanceof RejectedExecutionException;
    }
}
