package dev.animalstore.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyEnvironment;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Headers that were made from valid ones contain a key only if its checksum, computed here in another way, is correct. */
class AuthorizationFuzzTest {
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String KEY = BearerKey.of(KeyEnvironment.TEST, "Fuzz0000000000000000000000000000")
            .reveal();

    @Test
    void headers_madeFromValidOnes_holdOnlyKeysWithTheirCheck() {
        Fuzz.run(List.of("Bearer " + KEY, "bearer  " + KEY + " ", KEY, "Basic " + KEY), AuthorizationFuzzTest::parse);
    }

    private static void parse(String header) {
        AuthorizationHeader authorization = AuthorizationHeader.parse(List.of(header), KeyEnvironment.TEST);
        assertTrue(authorization.given());
        authorization.key().ifPresent(key -> {
            assertTrue(header.regionMatches(true, 0, "Bearer ", 0, 7));
            assertEquals(header.substring(7).strip(), key.reveal());
            assertTrue(isWellFormed(key.reveal()), key.reveal());
            assertFalse(key.toString().contains(key.reveal()));
        });
    }

    private static boolean isWellFormed(String key) {
        if (!key.matches("ask_test_[0-9A-Za-z]{38}")) {
            return false;
        }
        CRC32 crc = new CRC32();
        crc.update(key.substring(0, key.length() - 6).getBytes(StandardCharsets.US_ASCII));
        BigInteger check = key.substring(key.length() - 6)
                .chars()
                .mapToObj(digit -> BigInteger.valueOf(ALPHABET.indexOf(digit)))
                .reduce(
                        BigInteger.ZERO,
                        (sum, digit) -> sum.multiply(BigInteger.valueOf(62)).add(digit));
        return check.longValueExact() == crc.getValue();
    }
}
