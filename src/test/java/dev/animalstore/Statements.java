package dev.animalstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** What the tests' PostgreSQL was asked to do, by its own log. */
public final class Statements {
    private static final Pattern EXECUTED = Pattern.compile("\\[([0-9]+)] LOG: {2}(?:statement|execute [^:]+): (.+)");

    private Statements() {}

    /** The first lines of the statements of an action, all on the connection that ran the one with that text in it. */
    public static List<String> around(String text, Runnable action) {
        List<MatchResult> executed = executed(action);
        String connection = executed.stream()
                .filter(statement -> statement.group(2).contains(text))
                .map(statement -> statement.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No statement holds " + text));
        return executed.stream()
                .filter(statement -> statement.group(1).equals(connection))
                .map(statement -> statement.group(2))
                .toList();
    }

    /** The first lines of all statements while an action ran, those of the service's own jobs included. */
    public static List<String> of(Runnable action) {
        return executed(action).stream().map(statement -> statement.group(2)).toList();
    }

    private static List<MatchResult> executed(Runnable action) {
        TestDatabase.execute("alter system set log_statement = 'all'");
        try {
            reload("all");
            int before = log().length();
            action.run();
            return EXECUTED.matcher(log().substring(before)).results().toList();
        } finally {
            TestDatabase.execute("alter system reset log_statement");
            reload("none");
        }
    }

    /** Returns once new connections have the setting; those that are there were told before. */
    private static void reload(String expected) {
        TestDatabase.execute("select pg_reload_conf()");
        Awaitility.await()
                .until(() -> TestDatabase.query("select 1 where current_setting('log_statement') = '" + expected + "'")
                                .size()
                        == 1);
    }

    private static String log() {
        try {
            return Files.readString(TestServers.postgresLog(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
