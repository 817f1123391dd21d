package dev.animalstore.pet;

import static dev.animalstore.Answers.error;
import static dev.animalstore.Answers.metered;
import static dev.animalstore.Answers.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class CreatePetTest {
    private static final String EMOJI = "\uD83D\uDE3A";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    @Test
    void create_ofEveryMember_answersThePetAsStored() {
        Response answer = create("{\"status\": \"pending\", \"categoryId\": 3, \"name\": \"Rex\"}");

        answer.then().spec(metered()).statusCode(201).header("Content-Type", startsWith("application/json"));
        assertThat(
                text(answer),
                equalTo("{\"id\":" + id(answer) + ",\"name\":\"Rex\",\"categoryId\":3,\"status\":\"pending\"}"));
    }

    @Test
    void create_location_isTheAbsoluteAddressOfThePet() {
        Response answer = create("{\"name\": \"Rex\", \"categoryId\": 3}");

        String location = answer.header("Location");
        assertThat(location, equalTo("http://localhost:" + RestAssured.port + "/v1/pets/" + id(answer)));
        assertThat(text(key.given().get(location)), equalTo(text(answer)));
    }

    @Test
    void create_again_makesAnotherPetOfAHigherId() {
        String body = "{\"name\": \"Twin\", \"categoryId\": 3}";
        long first = id(create(body));

        assertThat(id(create(body)), greaterThan(first));
    }

    @Test
    void create_withoutStatus_isAvailable() {
        create("{\"name\": \"Rex\", \"categoryId\": 3}").then().statusCode(201).body("status", equalTo("available"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"available", "pending", "sold"})
    void create_ofStatus_keepsIt(String status) {
        create("{\"name\": \"Rex\", \"categoryId\": 3, \"status\": \"" + status + "\"}")
                .then()
                .statusCode(201)
                .body("status", equalTo(status));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"null", "\"\"", "\"Available\"", "\"SOLD\"", "\" sold\"", "\"gone\"", "0", "true", "[]", "{}"})
    void create_ofInvalidStatus_isRefused(String status) {
        create("{\"name\": \"Rex\", \"categoryId\": 3, \"status\": " + status + "}")
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo("status must be one of available, pending, sold."));
    }

    /** The names are JSON escapes, so that they show in a report. */
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
    void create_ofName_keepsItExactly(String name) throws JsonProcessingException {
        Response answer = create("{\"name\": \"" + name + "\", \"categoryId\": 3}");

        answer.then().statusCode(201);
        String kept = text(key.given().get("/v1/pets/" + id(answer)));
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(kept).get("name"), equalTo(json.readTree("\"" + name + "\"")));
    }

    @Test
    void create_ofNameSentAsUtf8_keepsItExactly() {
        Response answer = create("{\"name\": \"Zo\u00eb " + EMOJI + "\", \"categoryId\": 3}");

        answer.then().statusCode(201).body("name", equalTo("Zo\u00eb " + EMOJI));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", EMOJI})
    void create_ofNameOf255CodePoints_isAccepted(String codePoint) {
        Response answer = create("{\"name\": \"" + codePoint.repeat(255) + "\", \"categoryId\": 3}");

        answer.then().statusCode(201).body("name", equalTo(codePoint.repeat(255)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", EMOJI, " x"})
    void create_ofNameOf256CodePoints_isRefused(String pattern) {
        String name = pattern.repeat(256).substring(0, 256 * (EMOJI.equals(pattern) ? 2 : 1));

        create("{\"name\": \"" + name + "\", \"categoryId\": 3}")
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo("name must have at most 255 characters."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\\t", "\\r\\n", "\\u00a0", "\\u2003\\u3000", "\\u2028", "\\ufeff", " \\u00a0\\t"})
    void create_ofBlankName_isRefused(String name) {
        create("{\"name\": \"" + name + "\", \"categoryId\": 3}")
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo("name must not be blank."));
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
    void create_ofNameWithControlCharacterOrLoneSurrogate_isRefused(String name) {
        create("{\"name\": \"" + name + "\", \"categoryId\": 3}")
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo("name must not contain control characters or unpaired surrogates."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "7.5", "true", "null", "[]", "[\"Rex\"]", "{}"})
    void create_ofNameThatIsNoString_isRefused(String name) {
        create("{\"name\": " + name + ", \"categoryId\": 3}")
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo("name must be a string."));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void create_ofCategoryId_keepsIt(long categoryId) {
        Response answer = create("{\"name\": \"Rex\", \"categoryId\": " + categoryId + "}");

        answer.then().statusCode(201);
        assertThat(text(answer), containsString("\"categoryId\":" + categoryId + ","));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"7\"",
                "\"\"",
                "7.5",
                "7.0",
                "1e3",
                "true",
                "null",
                "[]",
                "[7]",
                "{}",
                "9223372036854775808",
                "-9223372036854775809",
                "100000000000000000000000000000000"
            })
    void create_ofInvalidCategoryId_isRefused(String categoryId) {
        create("{\"name\": \"Rex\", \"categoryId\": " + categoryId + "}")
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", startsWith("categoryId must be "))
                .body("message", not(containsString("name")));
    }

    @Test
    void create_withUnknownMembersAndId_ignoresThem() {
        long other = id(create("{\"name\": \"Other\", \"categoryId\": 3}"));

        Response answer =
                create("{\"id\": " + other + ", \"name\": \"Rex\", \"categoryId\": 3, \"owner\": {\"a\": [null]}}");

        answer.then().statusCode(201);
        assertThat(id(answer), greaterThan(other));
        assertThat(
                text(answer),
                equalTo("{\"id\":" + id(answer) + ",\"name\":\"Rex\",\"categoryId\":3,\"status\":\"available\"}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                                                   | name is required; categoryId is required.
                    {"Name": "Rex", "category_id": 3}                    | name is required; categoryId is required.
                    {"name": "Rex"}                                      | categoryId is required.
                    {"categoryId": 3}                                    | name is required.
                    {"name": null, "categoryId": null, "status": null}   | name must be a string; categoryId must be an integer; status must be one of available, pending, sold.
                    {"name": " ", "categoryId": "7", "status": "lost"}   | name must not be blank; categoryId must be an integer; status must be one of available, pending, sold.
                    """)
    void create_withSeveralFaults_namesEachOfThem(String body, String message) {
        create(body).then().spec(error(400, "validation_failed")).body("message", equalTo(message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[{\"name\": \"Rex\", \"categoryId\": 3}]", "\"Rex\"", "7", "true", "null"})
    void create_ofOtherThanAnObject_isRefused(String body) {
        create(body)
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo("The body must be a JSON object."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\r\n"})
    void create_ofNothing_isMalformed(String body) {
        create(body)
                .then()
                .spec(error(400, "malformed_json"))
                .body("message", allOf(containsString("empty"), containsString("JSON object")));
    }

    private static Response create(String body) {
        return key.given().contentType("application/json").body(body).post("/v1/pets");
    }

    private static long id(Response answer) {
        return answer.jsonPath().getLong("id");
    }
}
