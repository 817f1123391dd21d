package dev.animalstore.pet;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names a pet may have. */
@QuarkusTest
class PetNameTest {
    private static final String EMOJI = "\uD83D\uDE3A";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    /** The names are JSON escapes, so that a report shows them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "  Rex  ",
                "\\u00a0Rex\\u2003",
                "Zo\\u00eb",
                "e\\u0301",
                "\\u65e5\\u672c\\u8a9e",
                "\\u202eRex",
                "\\u200d",
                "a\\u2028b",
                "\\uffff",
                "\\ud83d\\ude3a",
                "He said \\\"hi\\\" \\\\ \\/",
                "<b>&amp;</b>",
                "'; drop table pet; --",
                "null"
            })
    void name_ofAnyCharacters_isKeptExactly(String name) throws JsonProcessingException {
        Response response = create("\"" + name + "\"");

        response.then().statusCode(201);
        String kept = text(key.given().get(response.header("Location")));
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(kept).get("name"), equalTo(json.readTree("\"" + name + "\"")));
    }

    @Test
    void name_sentAsUtf8_isKeptExactly() {
        Response response = create("\"Zo\u00eb " + EMOJI + "\"");

        response.then().statusCode(201).body("name", equalTo("Zo\u00eb " + EMOJI));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", EMOJI})
    void name_of255CodePoints_isAccepted(String codePoint) {
        Response response = create("\"" + codePoint.repeat(255) + "\"");

        response.then().statusCode(201).body("name", equalTo(codePoint.repeat(255)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", EMOJI, " x"})
    void name_of256CodePoints_isRefused(String pattern) {
        String name = pattern.repeat(256).substring(0, 256 * (EMOJI.equals(pattern) ? 2 : 1));

        assertRefused("\"" + name + "\"", "name must have at most 255 characters.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\\t", "\\r\\n", "\\u00a0", "\\u2003\\u3000", "\\u2028", "\\ufeff", " \\u00a0\\t"})
    void name_blank_isRefused(String name) {
        assertRefused("\"" + name + "\"", "name must not be blank.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\\u0000b",
                "\\u0000",
                "\\u0001",
                "a\\tb",
                "a\\nb",
                "Rex\\n",
                "\\u007f",
                "a\\u0085b",
                "\\u009f",
                "\\ud800",
                "a\\ud83db",
                "\\udc00",
                "\\ude3a\\ud83d"
            })
    void name_withControlCharacterOrLoneSurrogate_isRefused(String name) {
        assertRefused("\"" + name + "\"", "name must not contain control characters or unpaired surrogates.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "7.5", "true", "null", "[]", "[\"Rex\"]", "{}"})
    void name_thatIsNoString_isRefused(String name) {
        assertRefused(name, "name must be a string.");
    }

    private static void assertRefused(String name, String message) {
        create(name).then().spec(error(400, "validation_failed")).body("message", equalTo(message));
    }

    /** Creates a pet with a name that is given as JSON. */
    private static Response create(String name) {
        return key.given()
                .contentType("application/json")
                .body("{\"name\": " + name + ", \"categoryId\": 3}")
                .post("/v1/pets");
    }
}
