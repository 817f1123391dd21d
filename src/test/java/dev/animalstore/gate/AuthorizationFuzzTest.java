package dev.animalstore.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.Independent;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.BearerKey.Environment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Headers that were made from valid ones contain a key only if it is that of its secret. */
@Independent
class AuthorizationFuzzTest {
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
                    BearerKey.of(Environment.TEST, key.reveal().substring(9, 41))
                            .reveal(),
                    key.reveal());
            assertFalse(key.toString().contains(key.reveal()));
        });
    }
}
