package dev.animalstore.key;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.animalstore.key.BearerKey.Environment;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BearerKeyTest {
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String SECRET = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    private static final BearerKey KEY = BearerKey.of(Environment.TEST, SECRET);
    private static final String TEXT = KEY.reveal();

    @ParameterizedTest
    @CsvSource({"LIVE, ask_live_", "TEST, ask_test_"})
    void of_secret_hasTheFormOfTheContract(Environment environment, String prefix) {
        String text = BearerKey.of(environment, SECRET).reveal();

        assertThat(text, matchesPattern(prefix + SECRET + "[0-9A-Za-z]{6}"));
    }

    @Test
    void of_secret_endsInTheCrc32OfAllBefore() {
        CRC32 crc = new CRC32();
        crc.update(("ask_test_" + SECRET).getBytes(StandardCharsets.US_ASCII));

        long check = TEXT.substring(TEXT.length() - 6)
                .chars()
                .mapToLong(BASE62::indexOf)
                .reduce(0, (value, digit) -> value * BASE62.length() + digit);
        assertThat(check, equalTo(crc.getValue()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0123456789ABCDEFGHIJKLMNOPQRSTU-", SECRET + "x", "0123456789ABCDEFGHIJKLMNOPQRSTU\u00e9"})
    void of_otherThan32Base62Characters_isRefused(String secret) {
        assertThrows(IllegalArgumentException.class, () -> BearerKey.of(Environment.TEST, secret));
    }

    @ParameterizedTest
    @EnumSource
    void parse_generated_isThatKey(Environment environment) {
        String text = BearerKey.generate(environment, new SecureRandom()).reveal();

        assertThat(BearerKey.parse(text, environment).map(BearerKey::reveal), equalTo(Optional.of(text)));
    }

    @Test
    void parse_ofTheOtherEnvironment_isEmpty() {
        assertThat(BearerKey.parse(TEXT, Environment.LIVE), equalTo(Optional.empty()));
    }

    @Test
    void parse_withOneOtherCharacter_isEmpty() {
        for (int position = 0; position < TEXT.length(); position++) {
            for (char other : "0Aaz_- \u00e9\u0130".toCharArray()) {
                String typo = TEXT.substring(0, position) + other + TEXT.substring(position + 1);
                if (!typo.equals(TEXT)) {
                    assertThat(typo, BearerKey.parse(typo, Environment.TEST), equalTo(Optional.empty()));
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
        assertThat(BearerKey.parse(text, Environment.TEST), equalTo(Optional.empty()));
    }

    @Test
    void generate_givesDistinctSecretsOfAllCharacters() {
        SecureRandom random = new SecureRandom();
        Set<String> texts = Stream.generate(
                        () -> BearerKey.generate(Environment.TEST, random).reveal())
                .limit(1_000)
                .collect(Collectors.toSet());

        Set<Integer> characters = texts.stream()
                .flatMapToInt(text -> text.substring(9, 41).chars())
                .boxed()
                .collect(Collectors.toSet());
        assertThat(texts, hasSize(1_000));
        assertThat(characters, hasSize(62));
    }

    @Test
    void hash_isSha256OfTheText() throws Exception {
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(TEXT.getBytes(StandardCharsets.US_ASCII));

        assertThat(KEY.hash().bytes(), equalTo(sha256));
        assertThat(BearerKey.of(Environment.TEST, SECRET).hash(), equalTo(KEY.hash()));
    }

    @Test
    void toString_showsTheHintOnlyWhichIsTheEndOfTheSecret() {
        assertThat(KEY.hint(), equalTo("STUV"));
        assertThat(KEY.toString(), equalTo("BearerKey[…STUV]"));
    }
}
