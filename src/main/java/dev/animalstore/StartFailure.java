package dev.animalstore;

import dev.animalstore.outage.DatabaseBreaker;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.ConfigValidationException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jboss.logging.Logger;

/** Why the service did not start: one line per cause on standard error. The stack trace is logged at the level {@code DEBUG}. */
final class StartFailure {
    private static final Pattern SETTING =
            Pattern.compile("(?<![\\w.])(?:animalstore|quarkus)\\.[A-Za-z0-9_.\"-]+[A-Za-z0-9\"]");

    /** In SmallRye's messages about a value that is empty or not of the setting's type. They show the value, which may have a password. */
    private static final Pattern UNREADABLE = Pattern.compile(" threw an Exception| considered to be null");

    private StartFailure() {}

    /** Ends the process, as Quarkus does by default. The failure is {@code null} if the service had started. */
    static void exit(int status, Throwable failure) {
        if (failure != null) {
            explain(failure).forEach(cause -> System.err.println("Not started: " + cause));
            Logger.getLogger(Main.class).debug("Not started", failure);
        }
        if (LaunchMode.current().isDev()) {
            // A live reload ends the application, and not the process.
            ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(status, failure);
        } else {
            System.exit(status);
        }
    }

    /** The causes of a failure, which all but defects name with the setting that an operator can change. */
    static List<String> explain(Throwable failure) {
        // A failed transaction has its reason among the suppressed exceptions.
        return DatabaseBreaker.causes(failure)
                .map(StartFailure::explainOne)
                .filter(lines -> !lines.isEmpty())
                .findFirst()
                .orElseGet(() -> {
                    Throwable root = ExceptionUtil.getRootCause(failure);
                    return List.of(explain(root.getMessage() == null ? root.toString() : firstLine(root)));
                });
    }

    /** Empty if the reason is another cause. */
    private static List<String> explainOne(Throwable cause) {
        if (cause instanceof ConfigValidationException invalid) {
            return IntStream.range(0, invalid.getProblemCount())
                    .mapToObj(i -> explain(invalid.getProblem(i).getMessage()))
                    .distinct()
                    .toList();
        }
        String line = firstLine(cause);
        if (line.contains("Address already in use")) {
            return List.of(
                    line + ". Set quarkus.http.port and quarkus.management.port, for example by QUARKUS_HTTP_PORT"
                            + " and QUARKUS_MANAGEMENT_PORT");
        }
        return cause instanceof SQLException refused
                ? List.of("PostgreSQL refuses: " + line + "."
                        + remedy(Objects.requireNonNullElse(refused.getSQLState(), "08000")))
                : List.of();
    }

    /**
     * Without the parameters of an address, whose query may have a password: the driver repeats one that it cannot read. The second line of
     * Flyway's message says what is wrong with a migration.
     */
    private static String firstLine(Throwable cause) {
        return String.valueOf(cause.getMessage())
                .lines()
                .limit(cause instanceof FlywayValidateException ? 2 : 1)
                .collect(Collectors.joining(": "))
                .replaceAll("\\?\\S*|\\.$", "");
    }

    /** SmallRye's messages name the setting, unless converting a value overflows. */
    private static String explain(String said) {
        String problem = said.replaceFirst("^java\\.util\\.NoSuchElementException: SRCFG\\d+: The config property ", "")
                .replaceFirst(
                        "quarkus\\.datasource\\.metering\\.(?=(jdbc\\.(url|additional-jdbc-properties\\.socketTimeout)|username|password)\\b)",
                        settings());
        Matcher setting = SETTING.matcher(problem);
        if (!setting.find()) {
            return problem;
        }
        String fault = UNREADABLE.matcher(problem).find() ? setting.group() + " cannot be read" : problem;
        return fault + ". Set it, for example by the environment variable " + variable(setting.group());
    }

    private static String variable(String setting) {
        return setting.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** What the names of PostgreSQL's settings begin with: a service that has no data of its own sets those of the engine's datasource. */
    private static String settings() {
        boolean shared = ConfigProvider.getConfig()
                .getOptionalValue("quarkus.datasource.db-kind", String.class)
                .filter("postgresql"::equals)
                .isPresent();
        return shared ? "quarkus.datasource." : "quarkus.datasource.metering.";
    }

    /**
     * By the class of SQL states: 08 connection, 28 log-in, 3D name of the database, 42 and 3F a table or a right is missing, 55 locked, 99 an
     * address that the driver cannot read; and limits, some of which end the connection.
     */
    private static String remedy(String sqlState) {
        return switch (sqlState.matches("08003|57014") ? "53" : sqlState.substring(0, 2)) {
            case "08", "3D", "57", "99" ->
                " Set " + settings() + "jdbc.url, for example by " + variable(settings()) + "JDBC_URL"
                        + presentAddress();
            case "25", "53", "54" ->
                " A limit of the role, the database or the server may be too low: PostgreSQL's log names it";
            case "55" -> " Another transaction, such as a dump, uses the table: start again when it has ended";
            case "28" ->
                " Set %1$susername and %1$spassword, for example by %2$sUSERNAME and %2$sPASSWORD"
                                .formatted(settings(), variable(settings()))
                        + localeHint();
            case "3F", "42" ->
                " If the service has one user, make it the owner of the database. If it has two, migrate the schema as its owner: start once"
                        + " with ANIMALSTORE_MIGRATION_ONLY=true and the user animalstore_owner as quarkus.datasource.username. Then"
                        + " run src/main/kubernetes/roles.sql again, and start as animalstore";
            default -> "";
        };
    }

    /** In another locale than one of UTF-8, Java reads environment variables without what is beyond ASCII. */
    private static String localeHint() {
        return "UTF-8".equals(System.getProperty("sun.jnu.encoding"))
                ? ""
                : ". The locale is not UTF-8: if the password has characters beyond ASCII, set LANG=C.UTF-8";
    }

    /** Without the parameters, among which may be a password. */
    private static String presentAddress() {
        return ConfigProvider.getConfig()
                .getOptionalValue("quarkus.datasource.metering.jdbc.url", String.class)
                .map(url -> ". It is " + url.replaceAll("\\?.*", ""))
                .orElse("");
    }
}
