package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})
    void faults_serversConfiguredAndASecretTokenOrNone_areNone(String token) {
        assertEquals(List.of(), faultsWith("animalstore.admin.token", token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"operators-token-for-development-only", "operators-token-for-this-machine-only"})
    void faults_tokenThatTheDocumentsShow_nameThePropertyAndHowToSetItAndNotTheToken(String token) {
        List<String> faults = faultsWith("animalstore.admin.token", token);
        assertEquals(1, faults.size());
        assertTrue(faults.get(0)
                .matches("Not started: animalstore.admin.token is one that .* ANIMALSTORE_ADMIN_TOKEN=.*"));
        assertFalse(faults.get(0).contains(token), faults.get(0));
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
