package dev.animalstore.page;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final String SCOPE = "/v1/pets?&status=sold";
    private static final String CURSOR = Cursor.encode(4711, SCOPE);

    @ParameterizedTest
    @ValueSource(longs = {1, 20, 4711, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE})
    void decode_encoded_isTheIdentifier(long id) {
        assertThat(Cursor.decode(Cursor.encode(id, SCOPE), SCOPE), equalTo(OptionalLong.of(id)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4711, Long.MAX_VALUE})
    void encode_anIdentifier_is16CharactersThatNeedNoEscape(long id) {
        assertThat(Cursor.encode(id, SCOPE), matchesPattern("[A-Za-z0-9_-]{16}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/v1/pets?", "/v1/pets?&status=pending", "/v1/store/orders?&status=sold"})
    void decode_ofAnotherScope_isEmpty(String scope) {
        assertThat(Cursor.decode(CURSOR, scope), equalTo(OptionalLong.empty()));
    }

    @ParameterizedTest
    @MethodSource("positions")
    void decode_withOneOtherCharacter_isEmpty(int position) {
        for (int i = 0; i < ALPHABET.length(); i++) {
            char other = ALPHABET.charAt(i);
            if (other != CURSOR.charAt(position)) {
                String damaged = CURSOR.substring(0, position) + other + CURSOR.substring(position + 1);
                assertThat(damaged, Cursor.decode(damaged, SCOPE), equalTo(OptionalLong.empty()));
            }
        }
    }

    static IntStream positions() {
        return IntStream.range(0, CURSOR.length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "A",
                "=",
                "AAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAA==",
                "+/AAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAA\n"
            })
    void decode_ofNoCursor_isEmpty(String text) {
        assertThat(Cursor.decode(text, SCOPE), equalTo(OptionalLong.empty()));
    }

    @Test
    void decode_withPaddingOrNewline_isEmpty() {
        for (String suffix : new String[] {"=", "\n", "A", " "}) {
            assertThat(Cursor.decode(CURSOR + suffix, SCOPE), equalTo(OptionalLong.empty()));
        }
    }
}
