package dev.animalstore.web.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.page.PageRequest.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parameters of a page: a limit is within its bounds, and a cursor has one spelling and belongs to one list and filter. */
@Independent
class LimitAndCursorTest {
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final String SCOPE = "/v1/pets?&status=sold";
    private static final String CURSOR = PageRequest.cursor(4711, SCOPE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0", "101", "-1", "-0",
                "abc", "", "1.5", "5.0",
                " 5", "5 ", "+5", "1e1",
                "0x5", "\u0665", "5\0", "5,6",
                "null", "99999999999", "99999999999999999999999", "4294967297"
            })
    void limit_outOfBoundsOrNoWholeNumber_isRefused(String text) {
        ApiException refusal = assertThrows(ApiException.class, () -> Limit.fromString(text));

        assertEquals(ErrorCode.INVALID_PARAMETER, refusal.code());
        assertEquals("limit must be a whole number from 1 to 100.", refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20, 4711, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE})
    void cursor_ofAnIdentifier_is16CharactersThatContainIt(long id) {
        String cursor = PageRequest.cursor(id, SCOPE);

        assertTrue(cursor.matches("[A-Za-z0-9_-]{16}"), cursor);
        assertEquals(id, PageRequest.lastId(cursor, SCOPE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/v1/pets?", "/v1/pets?&status=pending", "/v1/store/orders?&status=sold"})
    void cursor_ofAnotherScope_isRefused(String scope) {
        assertRefused(CURSOR, scope);
    }

    @Test
    void cursor_withOneOtherCharacter_isRefused() {
        for (int position = 0; position < CURSOR.length(); position++) {
            for (char other : ALPHABET.replace(CURSOR.substring(position, position + 1), "")
                    .toCharArray()) {
                assertRefused(CURSOR.substring(0, position) + other + CURSOR.substring(position + 1), SCOPE);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "A", "=", "AAAAAAAAAAAAAA==",
                "AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAA", "+/AAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA\n",
                "%s=", "%s\n", "%sA", "%s "
            })
    void cursor_ofAnotherForm_isRefused(String form) {
        assertRefused(form.formatted(CURSOR), SCOPE);
    }

    private static void assertRefused(String text, String scope) {
        ApiException refusal = assertThrows(ApiException.class, () -> PageRequest.lastId(text, scope), text);

        assertEquals(ErrorCode.INVALID_PARAMETER, refusal.code());
    }
}
