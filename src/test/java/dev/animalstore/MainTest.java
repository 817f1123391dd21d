package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final String SHORT = "x".repeat(31);

    /** None, the shortest, and one of every printable character. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
            })
    void faults_serversConfiguredAndAValidTokenOrNone_areNone(String token) {
        assertEquals(List.of(), faultsWith("animalstore.admin.token", token));
    }

    /** Tokens that are refused, and why. */
    static Stream<Arguments> refusedTokens() {
        String shown = "is one that the documents show";
        return Stream.concat(
                Stream.of(
                        arguments(SHORT, "is shorter than 32 characters"),
                        arguments("operators-token-for-development-only", shown),
                        arguments("operators-token-for-this-machine-only", shown)),
                Stream.of("\n", "\r\n", " ", "\t", "\0", "\u007f", "\u00a0", "\u00e9")
                        .flatMap(one -> Stream.of(SHORT + "x" + one, SHORT + one + "x", one + SHORT))
                        .map(token -> arguments(token, "contains")));
    }

    @ParameterizedTest
    @MethodSource("refusedTokens")
    void faults_tokenThatIsShortPublishedOrUnprintable_nameThePropertyAndHowToSetItAndNotTheToken(
            String token, String fault) {
        List<String> faults = faultsWith("animalstore.admin.token", token);
        assertEquals(1, faults.size());
        String line = faults.get(0);
        assertTrue(line.contains("animalstore.admin.token " + fault), line);
        assertTrue(line.contains("ANIMALSTORE_ADMIN_TOKEN="), line);
        assertFalse(line.contains(token) || line.contains(SHORT), line);
        assertEquals(1, line.lines().count());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "quarkus.datasource.jdbc.url, none, quarkus.datasource.jdbc.url is not set",
                "quarkus.datasource.jdbc.url, postgresql://host/database, quarkus.datasource.jdbc.url has the wrong form",
                "quarkus.redis.hosts, none, quarkus.redis.hosts is not set",
                "quarkus.redis.hosts, 'redis://one,http://two', quarkus.redis.hosts has the wrong form",
                "quarkus.redis.hosts, host:6379, quarkus.redis.hosts has the wrong form",
                "quarkus.redis.client-type, sentinel, quarkus.redis.master-name is not set"
            })
    void faults_serverThatIsMissingOrOfAnotherForm_nameThePropertyAndHowToSetIt(
            String property, String value, String fault) {
        List<String> faults = faultsWith(property, value);
        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.get(0).contains(fault), faults.get(0));
        assertTrue(faults.get(0).matches("Not started: .* QUARKUS_[A-Z_]+=\\S+"), faults.get(0));
    }

    private static List<String> faultsWith(String property, String value) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "quarkus.datasource.jdbc.url", "jdbc:postgresql://host/database",
                "quarkus.redis.hosts", "redis://host,rediss://other:6380"));
        properties.put(property, value);
        properties.values().removeIf(Objects::isNull);
        return Main.faults(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build());
    }
}
