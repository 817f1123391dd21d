package dev.animalstore.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.BearerKey.Environment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Headers that were made from valid ones contain a key only if its checksum, computed here in another way, is correct. */
class AuthorizationFuzzTest {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String KEY =
            BearerKey.of(Environment.TEST, "Fuzz0000000000000000000000000000").reveal();

    @Test
    void headers_madeFromValidOnes_holdOnlyKeysWithTheirCheck() {
        Fuzz.run(List.of("Bearer " + KEY, "bearer  " + KEY + " ", KEY, "Basic " + KEY), AuthorizationFuzzTest::parse);
    }

    private static void parse(String header) {
        AuthorizationHeader.key(List.of(header), Environment.TEST).ifPresent(key -> {
            assertTrue(header.regionMatches(true, 0, "Bearer ", 0, 7));
            assertEquals(header.substring(7).strip(), key.reveal());
            assertTrue(key.reveal().matches("ask_test_[0-9A-Za-z]{38}"), key.reveal());
            assertEquals(
                    checksum(key.reveal().substring(0, 41)), number(key.reveal().substring(41)));
            assertFalse(key.toString().contains(key.reveal()));
        });
    }

    private static long checksum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }

    private static long number(String base62) {
        return base62.chars().mapToLong(DIGITS::indexOf).reduce(0, (number, digit) -> number * 62 + digit);
    }
}
