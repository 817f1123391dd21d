package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final String SHORT = "x".repeat(31);

    @Test
    void faults_serversConfiguredAndNoToken_areNone() {
        assertEquals(List.of(), faultsWithToken(""));
    }

    @Test
    void faults_tokenOf32Characters_areNone() {
        assertEquals(List.of(), faultsWithToken(SHORT + "x"));
    }

    @Test
    void faults_tokenOf31Characters_nameThePropertyAndHowToSetItAndNotTheToken() {
        List<String> faults = faultsWithToken(SHORT);
        assertEquals(1, faults.size());
        assertTrue(faults.get(0).contains("animalstore.admin.token is shorter than 32 characters"), faults.get(0));
        assertTrue(faults.get(0).contains("ANIMALSTORE_ADMIN_TOKEN="), faults.get(0));
        assertFalse(faults.get(0).contains(SHORT), faults.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", " ", "\t", "\0", "\u007f", "\u00a0", "\u00e9"})
    void faults_tokenNotOnlyOfPrintableAscii_nameThePropertyAndHowToSetItAndNotTheToken(String addition) {
        for (String token : List.of(SHORT + "x" + addition, SHORT + addition + "x", addition + SHORT)) {
            List<String> faults = faultsWithToken(token);
            assertEquals(1, faults.size());
            assertTrue(faults.get(0).contains("animalstore.admin.token contains"), faults.get(0));
            assertTrue(faults.get(0).contains("ANIMALSTORE_ADMIN_TOKEN="), faults.get(0));
            assertFalse(faults.get(0).contains(SHORT), faults.get(0));
            assertEquals(1, faults.get(0).lines().count());
        }
    }

    @Test
    void faults_tokenOfEveryPrintableCharacter_areNone() {
        assertEquals(
                List.of(),
                faultsWithToken(IntStream.rangeClosed('!', '~')
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "three", "3.5", "99999999999"})
    void faults_replicasThatAreNoCount_nameThePropertyAndHowToSetIt(String replicas) {
        List<String> faults = faultsWith("animalstore.replicas", replicas);
        assertEquals(1, faults.size());
        assertTrue(faults.get(0).contains("animalstore.replicas is " + replicas), faults.get(0));
        assertTrue(faults.get(0).contains("ANIMALSTORE_REPLICAS="), faults.get(0));
    }

    @Test
    void faults_replicas_areNone() {
        assertEquals(List.of(), faultsWith("animalstore.replicas", "6"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"3601", "61m", "PT1H0.001S", "2d", "-1s", "soon", "s", "106751991167301d", "99999999999999999999"
            })
    void faults_cacheTimeOfKeysOutOfBounds_nameThePropertyAndItsMaximum(String time) {
        List<String> faults = faultsWith("animalstore.keys.cache-time", time);
        assertEquals(1, faults.size());
        assertTrue(faults.get(0).contains("animalstore.keys.cache-time is " + time), faults.get(0));
        assertTrue(faults.get(0).contains("maximum of 1h"), faults.get(0));
        assertTrue(faults.get(0).contains("ANIMALSTORE_KEYS_CACHE_TIME="), faults.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "500ms", "30", "5m", "1h", "PT60M"})
    void faults_cacheTimeOfKeysUpToAnHour_areNone(String time) {
        assertEquals(List.of(), faultsWith("animalstore.keys.cache-time", time));
    }

    @ParameterizedTest
    @CsvSource({
        "animalstore.ban.strike-window, ANIMALSTORE_BAN_STRIKE_WINDOW",
        "animalstore.ban.first, ANIMALSTORE_BAN_FIRST",
        "animalstore.ban.longest, ANIMALSTORE_BAN_LONGEST",
        "animalstore.ban.forgotten-after, ANIMALSTORE_BAN_FORGOTTEN_AFTER",
        "animalstore.redis.timeout, ANIMALSTORE_REDIS_TIMEOUT",
        "animalstore.redis.probe-every, ANIMALSTORE_REDIS_PROBE_EVERY"
    })
    void faults_timeThatIsNotPositive_nameThePropertyAndHowToSetIt(String property, String variable) {
        for (String time : List.of("0", "0s", "-1s", "-5m", "PT-1H", "0.5ms", "366d", "soon")) {
            List<String> faults = faultsWith(property, time);
            assertEquals(1, faults.size(), time);
            assertTrue(faults.get(0).contains(property + " is " + time + ", "), faults.get(0));
            assertTrue(faults.get(0).contains("by " + variable + "="), faults.get(0));
        }
        for (String time : List.of("1ms", "40ms", "20", "PT1M")) {
            assertEquals(List.of(), faultsWith(property, time), time);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "animalstore.redis.failures",
                "animalstore.failed-authentication.per-minute",
                "animalstore.failed-authentication.per-day",
                "animalstore.failed-authentication.maximum-addresses",
                "animalstore.keys.cache-size",
                "animalstore.keys.unknown-size"
            })
    void faults_countBelowOne_nameThePropertyAndHowToSetIt(String property) {
        for (String count : List.of("0", "-1", "many")) {
            List<String> faults = faultsWith(property, count);
            assertEquals(1, faults.size(), count);
            assertTrue(faults.get(0).contains(property + " is " + count + ", "), faults.get(0));
            assertTrue(faults.get(0).contains("by ANIMALSTORE_"), faults.get(0));
        }
        assertEquals(List.of(), faultsWith(property, "1"));
    }

    @Test
    void faults_factorThatIsNotPositive_nameThePropertyAndHowToSetIt() {
        String property = "animalstore.ban.strikes-per-limit";
        for (String factor : List.of("0", "-1", "NaN", "Infinity", "1e7", "many")) {
            List<String> faults = faultsWith(property, factor);
            assertEquals(1, faults.size(), factor);
            assertTrue(faults.get(0).contains(property + " is " + factor + ", "), faults.get(0));
        }
        for (String factor : List.of("0.5", "1", "10")) {
            assertEquals(List.of(), faultsWith(property, factor), factor);
        }
    }

    private static List<String> faultsWithToken(String token) {
        return faultsWith("animalstore.admin.token", token);
    }

    private static List<String> faultsWith(String property, String value) {
        Map<String, String> properties = Map.of(
                "quarkus.datasource.jdbc.url",
                "jdbc:postgresql://host/database",
                "quarkus.redis.hosts",
                "redis://host",
                property,
                value);
        return Main.faults(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build());
    }
}
