package dev.animalstore.metering.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BearerKeyTest {
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String SECRET = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    private static final BearerKey KEY = BearerKey.of("ask_test_", SECRET);
    private static final String TEXT = KEY.reveal();

    @Test
    void of_secret_endsInTheCrc32OfAllBefore() {
        CRC32 crc = new CRC32();
        crc.update(("ask_test_" + SECRET).getBytes(StandardCharsets.US_ASCII));

        long check = TEXT.substring(TEXT.length() - 6)
                .chars()
                .mapToLong(BASE62::indexOf)
                .reduce(0, (value, digit) -> value * BASE62.length() + digit);
        assertEquals(crc.getValue(), check);
    }

    @ParameterizedTest
    @CsvSource({"ask, live, ask_live_, ask_test_", "ask, test, ask_test_, ask_live_", "p4, live, p4_live_, ask_live_"})
    void parse_generated_isThatKeyWithItsPrefixAndInItsEnvironmentOnly(
            String prefix, String environment, String start, String other) {
        KeyConfig config = new SmallRyeConfigBuilder()
                .withMapping(KeyConfig.class)
                .withDefaultValue("animalstore.keys.prefix", prefix)
                .withDefaultValue("animalstore.keys.environment", environment)
                .withDefaultValue("animalstore.keys.cache-time", "PT30S")
                .build()
                .getConfigMapping(KeyConfig.class);
        String text =
                BearerKey.generate(BearerKey.start(config), new SecureRandom()).reveal();

        assertTrue(text.matches(start + "[0-9A-Za-z]{38}"), text);
        assertEquals(Optional.of(text), BearerKey.parse(text, start).map(BearerKey::reveal));
        assertEquals(Optional.empty(), BearerKey.parse(text, other));
    }

    @Test
    void parse_withOneOtherCharacter_isEmpty() {
        for (int position = 0; position < TEXT.length(); position++) {
            for (char other : "0Aaz_- \u00e9\u0130".toCharArray()) {
                String typo = TEXT.substring(0, position) + other + TEXT.substring(position + 1);
                if (!typo.equals(TEXT)) {
                    assertEquals(Optional.empty(), BearerKey.parse(typo, "ask_test_"), typo);
                }
            }
        }
    }

    static Stream<String> otherLengths() {
        String less = TEXT.substring(0, TEXT.length() - 1);
        return Stream.of("", "ask_test_", TEXT.substring(1), less, TEXT + "0", " " + TEXT, TEXT + TEXT);
    }

    @ParameterizedTest
    @MethodSource("otherLengths")
    void parse_ofAnotherLength_isEmpty(String text) {
        assertEquals(Optional.empty(), BearerKey.parse(text, "ask_test_"));
    }

    @Test
    void generate_givesDistinctSecretsOfAllCharacters() {
        SecureRandom random = new SecureRandom();
        Set<String> texts = Stream.generate(
                        () -> BearerKey.generate("ask_test_", random).reveal())
                .limit(1_000)
                .collect(Collectors.toSet());

        Set<Integer> characters = texts.stream()
                .flatMapToInt(text -> text.substring(9, 41).chars())
                .boxed()
                .collect(Collectors.toSet());
        assertEquals(1_000, texts.size());
        assertEquals(62, characters.size());
    }

    @Test
    void hash_isSha256OfTheText() throws Exception {
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(TEXT.getBytes(StandardCharsets.US_ASCII));

        assertArrayEquals(sha256, KEY.hash().bytes());
        assertEquals(KEY.hash(), BearerKey.of("ask_test_", SECRET).hash());
    }

    @Test
    void toString_showsTheHintOnlyWhichIsTheEndOfTheSecret() {
        assertEquals("STUV", KEY.hint());
        assertEquals("BearerKey[…STUV]", KEY.toString());
    }
}
