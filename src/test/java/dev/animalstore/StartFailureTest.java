package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.animalstore.fixture.Independent;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.validator.BeanValidationConfigValidatorImpl;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.ErrorDetails;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines that the service prints if a setting prevents its start. */
@Independent
class StartFailureTest {
    private static final List<Class<?>> MAPPINGS = ArchitectureTest.CLASSES.stream()
            .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
            .<Class<?>>map(JavaClass::reflect)
            .toList();

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            admin.token                              ; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx        ; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            admin.tokens.alice-2                     ; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,       ; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            admin.tokens.none                        ; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx       ;
            admin.tokens.a_b                         ; xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx       ;
            redis.namespace                          ; a b,a:b,LIVE                           ; live,team-a.1_x
            replicas                                 ; 0,-1,three,3.5,99999999999             ; 1,6
            redis.failures                           ; 0,-1,many                              ; 1
            redis.timeout                            ; 0,-1s,0.5ms,61s,soon                   ; 1ms,20,PT1M
            redis.probe-every                        ; 0,-1s,0.5ms,61s,soon                   ; 1ms,20,PT1M
            keys.cache-time                          ; 3601,PT1H0.001S,2d,-1s,s,99999999999999999999; 0,30,500ms,PT60M
            keys.cache-size                          ; 0,-1,1000000000,many                   ; 1
            keys.environment                         ; production                             ; live,test
            catalogue.cache-time                     ; 3601,-1s,soon                          ; 0,1h
            catalogue.cache-size                     ; -1,16X,many                            ; 0,4096,16M,1g
            failed-authentication.per-minute         ; 0,-1,many                              ; 1
            failed-authentication.per-day            ; 0,-1,many                              ; 1
            ban.strike-window                        ; 0s,-5m,PT-1H,0.5ms,366d,soon           ; 1ms,365d
            ban.first                                ; 0s,-5m,366d,soon                       ; 1ms,365d
            ban.longest                              ; 0s,-5m,366d,soon                       ; 1ms,365d
            ban.forgotten-after                      ; 0s,-5m,366d,soon                       ; 1ms,365d
            ban.grace                                ; -1s,soon                           ; 0s,2s
            ban.strikes-per-limit                    ; 0,-1,NaN,Infinity,1e7,many             ; 0.5,1,10
            usage.keep                               ; 0,23h,36501d,soon                      ; 1d,36500d
            get-pet.removed                          ;                                        ; true,false
            get-pet.deprecated-since                 ; someday,2999-01-01T00:00:00Z           ; 2025-12-05T00:00:00Z
            get-pet.sunset                           ; someday                                ; 2030-12-05T00:00:00Z
            """)
    void setting_outOfItsBounds_isOneLineThatNamesItAndItsVariable(String name, String wrong, String right) {
        String property = "animalstore." + name;
        for (String value : wrong == null ? new String[0] : wrong.split(",", -1)) {
            List<String> lines = StartFailure.explain(
                    new RuntimeException(assertThrows(ConfigValidationException.class, () -> read(property, value))));
            assertEquals(1, lines.size(), value + lines);
            assertTrue(lines.get(0).startsWith(property + " "), lines.get(0));
            assertEquals(1, lines.get(0).lines().count(), lines.get(0));
            assertTrue(lines.get(0).endsWith(property.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT)), lines.get(0));
        }
        for (String value : right == null ? new String[0] : right.split(",", -1)) {
            assertEquals(value, read(property, value).getConfigValue(property).getValue());
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "quarkus.datasource.jdbc.url, none, is required",
                "quarkus.datasource.jdbc.url, postgresql://host/database, must be as in jdbc:postgresql://",
                "quarkus.datasource.jdbc.additional-jdbc-properties.socketTimeout, 0, must be from 1 to 1000000",
                "quarkus.datasource.metering.jdbc.new-connection-sql, select 1, must be as the engine sets it",
                "quarkus.datasource.metering.jdbc.additional-jdbc-properties.targetServerType, any, must be as the engine sets it",
                "quarkus.flyway.metering.schemas, public, must be as the engine sets it",
                "quarkus.rest.path, /api, must be as the engine sets it",
                "quarkus.http.root-path, /api, must be as the engine sets it",
                "quarkus.http.proxy.proxy-address-forwarding, true, 'must not be set, but animalstore.proxies'",
                "quarkus.redis.hosts, none, is required",
                "quarkus.redis.hosts, 'redis://one,http://two', must be as in redis://host:6379",
                "quarkus.redis.hosts, host:6379, must be as in redis://host:6379",
                "quarkus.redis.hosts, redis://redis_cache:6379, '.*the host has letters, digits, - and \\. only'",
                "quarkus.redis.hosts, redis://u:secret@host:x, must be as in redis://host:6379",
                "quarkus.datasource.jdbc.url, jdbc:postgresql://host:x/d?password=secret, must be as in jdbc:postgresql://"
            })
    void server_thatIsMissingOrOfAnotherForm_isNamedWithItsVariable(String property, String value, String fault) {
        List<String> lines = StartFailure.explain(
                new RuntimeException(assertThrows(ConfigValidationException.class, () -> read(property, value))));
        assertTrue(
                lines.stream()
                        .anyMatch(line ->
                                line.matches("\\Q" + property + "\\E(\\[\\d])? " + fault + ".* QUARKUS_[A-Z_]+")),
                lines::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", " ", "\t", "\0", "\u007f", "\u00a0", "\u00e9"})
    void token_withACharacterThatIsNotPrintable_isRefusedAndNotShown(String one) {
        String rest = "x".repeat(32);
        for (String token : List.of(one + rest, rest + one + rest, rest + one)) {
            ConfigValidationException refusal =
                    assertThrows(ConfigValidationException.class, () -> read("animalstore.admin.token", token));
            assertFalse(StartFailure.explain(refusal).toString().contains(rest));
        }
    }

    /** Java then reads another password than the one that was set. */
    @ParameterizedTest
    @CsvSource({"ANSI_X3.4-1968, true", "UTF-8, false"})
    void password_refusedInALocaleWithoutUtf8_isALineThatNamesTheLocale(String encoding, boolean named) {
        String present = System.setProperty("sun.jnu.encoding", encoding);
        try {
            String line =
                    StartFailure.explain(new SQLException("FATAL: no", "28P01")).get(0);
            assertEquals(named, line.contains("set LANG=C.UTF-8"), line);
        } finally {
            System.setProperty("sun.jnu.encoding", present);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, quarkus.datasource.username",
        "28000, quarkus.datasource.username",
        "3D000, quarkus.datasource.jdbc.url",
        "08001, quarkus.datasource.jdbc.url",
        ", quarkus.datasource.jdbc.url",
        "57P03, quarkus.datasource.jdbc.url",
        "55P03, such as a dump",
        "42501, owner of the database",
        "42501, ANIMALSTORE_MIGRATION_ONLY=true",
        "42P01, ANIMALSTORE_MIGRATION_ONLY=true",
        "25P04, 'A limit of the role, the database or the server'",
        "57014, A limit of the role",
        "53300, A limit of the role",
        "08003, A limit of the role"
    })
    void database_thatRefusesTheConnection_isOneLineThatNamesTheSetting(String sqlState, String property) {
        List<String> lines = StartFailure.explain(new RuntimeException(
                "Failed to start", new IllegalStateException(new SQLException("FATAL: no\nDetail", sqlState))));

        assertEquals(1, lines.size());
        assertTrue(lines.get(0).startsWith("PostgreSQL refuses: "), lines.get(0));
        assertTrue(lines.get(0).contains("FATAL: no"), lines.get(0));
        assertTrue(lines.get(0).contains(property), lines.get(0));
        assertEquals(1, lines.get(0).lines().count(), lines.get(0));
    }

    /** As the transaction manager reports it, whose own text says only that it could not commit. */
    @Test
    void database_thatEndsATransaction_isNamedInPlaceOfTheTransaction() {
        RuntimeException rolledBack = new IllegalStateException("Could not commit transaction.");
        rolledBack.addSuppressed(new SQLException("FATAL: terminating connection due to transaction timeout", "25P04"));

        String line = StartFailure.explain(new RuntimeException("Failed to start", rolledBack))
                .get(0);
        assertTrue(
                line.startsWith("PostgreSQL refuses: FATAL: terminating connection due to transaction timeout."), line);
    }

    @ParameterizedTest
    @MethodSource("others")
    void otherFailure_isOneLine(Throwable cause, String line) {
        assertEquals(List.of(line), StartFailure.explain(new RuntimeException("Failed to start", cause)));
    }

    static Stream<Arguments> others() {
        return Stream.of(
                arguments(
                        new IOException("bind(..) failed with error(-98): Address already in use"),
                        "bind(..) failed with error(-98): Address already in use. Set quarkus.http.port and quarkus.management.port, for example by QUARKUS_HTTP_PORT"
                                + " and QUARKUS_MANAGEMENT_PORT"),
                arguments(
                        new IllegalArgumentException(
                                "SRCFG00039: The config property quarkus.http.port with the config value \"x\" threw an Exception whilst"
                                        + " being converted SRCFG00029"),
                        "quarkus.http.port cannot be read. Set it, for example by the environment variable"
                                + " QUARKUS_HTTP_PORT"),
                arguments(
                        new SQLException("Unable to parse URL jdbc:postgresql://host:99999/d?password=secret", "99999"),
                        "PostgreSQL refuses: Unable to parse URL jdbc:postgresql://host:99999/d. Set quarkus.datasource.jdbc.url,"
                                + " for example by QUARKUS_DATASOURCE_JDBC_URL"),
                arguments(
                        new SQLException("FATAL: invalid value for parameter \"TimeZone\": \"US/Eastern\"", "22023"),
                        "PostgreSQL refuses: FATAL: invalid value for parameter \"TimeZone\": \"US/Eastern\"."),
                arguments(
                        new FlywayValidateException(
                                new ErrorDetails(CoreErrorCode.VALIDATE_ERROR, "Migrations have failed validation"),
                                "Migration checksum mismatch for migration version 1\nand more"),
                        "Validate failed: Migrations have failed validation: Migration checksum mismatch for migration version 1"),
                arguments(new IllegalStateException("a defect\nand more"), "a defect"),
                arguments(new IllegalStateException(), "java.lang.IllegalStateException"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain", "a$$b", "${x}", "a\\${x}", "\\\\$$\\$", "${a:b}}$",
                "$", "\\", "#{x}", "a::b", "\n", " x "
            })
    void secret_inAVariable_isTakenAsItIs(String secret) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withInterceptors(new EnvironmentVariables())
                .withSources(
                        new EnvConfigSource(Map.of("QUARKUS_DATASOURCE_PASSWORD", secret), 300),
                        new PropertiesConfigSource(
                                Map.of("quarkus.flyway.password", "${quarkus.datasource.password:none}"), "file", 250))
                .build();
        assertEquals(
                secret, config.getConfigValue("quarkus.datasource.password").getValue());
        assertEquals(secret, config.getConfigValue("quarkus.flyway.password").getValue());
    }

    /** As in dev mode. */
    @Test
    void addressOfTheDatabase_inAProfile_isThatOfTheEngineToo() {
        String url = "jdbc:postgresql://host/database";
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withInterceptors(new DefaultDatabase())
                .withProfile("dev")
                .withSources(new PropertiesConfigSource(Map.of("%dev.quarkus.datasource.jdbc.url", url), "file", 250))
                .build();
        assertEquals(
                url,
                config.getConfigValue("quarkus.datasource.metering.jdbc.url").getValue());
    }

    private static SmallRyeConfig read(String property, String value) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "quarkus.datasource.jdbc.url", "jdbc:postgresql://host/database",
                "quarkus.redis.hosts", "redis://host,rediss://other:6380"));
        settings.put(property.replace("datasource.jdbc.additional", "datasource.metering.jdbc.additional"), value);
        settings.values().removeIf(Objects::isNull);
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .addDefaultInterceptors()
                .withInterceptors(new DefaultDatabase())
                .addDiscoveredConverters()
                .withValidator(new BeanValidationConfigValidatorImpl());
        MAPPINGS.forEach(builder::withMapping);
        return builder.build();
    }
}
