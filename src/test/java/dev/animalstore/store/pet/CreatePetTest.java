package dev.animalstore.store.pet;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
public class CreatePetTest {
    private static final String EMOJI = "\uD83D\uDE3A";

    private final TestKey key = TestKey.unlimited();

    @ParameterizedTest
    @CsvSource({"-9223372036854775808, available", "-1, pending", "0, sold", "9223372036854775807, available"})
    void create_ofEveryMember_returnsThePetAsStored(long categoryId, String status) {
        String members = "\"name\":\"Rex\",\"categoryId\":" + categoryId + ",\"status\":\"" + status + "\"}";

        Response response = create("{" + members);

        response.then().spec(metered()).statusCode(201).header("Content-Type", startsWith("application/json"));
        assertThat(text(response), equalTo("{\"id\":" + id(response) + "," + members));
    }

    @Test
    void create_again_makesAnotherPetOfAHigherIdWithAnAddressOfItsOwn() {
        long first = id(create("{\"name\": \"Twin\", \"categoryId\": 3}"));

        Response second = create("{\"name\": \"Twin\", \"categoryId\": 3}");

        assertThat(id(second), greaterThan(first));
        String location = second.header("Location");
        assertThat(location, equalTo("http://localhost:" + RestAssured.port + "/v1/pets/" + id(second)));
        assertThat(text(key.given().get(location)), equalTo(text(second)));
    }

    /** What is wrong with some names, which are separated by spaces, with ' for a quotation mark. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            must be a string.                        | 7 7.5 true null [] ['Rex'] {}
            must not be blank.                       | '' '\\u0020' '\\t' '\\r\\n' '\\u00a0' '\\u2003\\u3000' '\\u2028' '\\ufeff'
            must not contain control characters or unpaired surrogates. | '\\u0000' '\\u0001' 'a\\u0000b' 'a\\tb'
            must not contain control characters or unpaired surrogates. | 'a\\nb' 'Rex\\n' '\\u007f' 'a\\u0085b' '\\u009f'
            must not contain control characters or unpaired surrogates. | '\\ud800' 'a\\ud83db' '\\udc00' '\\ude3a\\ud83d'
            """)
    void name_thatIsInvalid_isRefusedWithTheReason(String fault, String values) {
        for (String value : values.replace('\'', '"').split(" ", -1)) {
            createNamed(value).then().spec(error(400, "validation_failed")).body("message", equalTo("name " + fault));
        }
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
    @ValueSource(strings = {"", " ", "\r\n"})
    void create_ofNothing_isMalformed(String body) {
        create(body).then().spec(error(400, "malformed_json")).body("message", containsString("empty"));
    }

    /** The names are JSON escapes, so that a report shows them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x", "  Rex  ", "\\u00a0Rex\\u2003", "Zo\\u00eb", "e\\u0301",
                "\\u65e5\\u672c\\u8a9e", "\\u202eRex", "\\u200d", "a\\u2028b", "\\uffff",
                "\\ud83d\\ude3a", "He said \\\"hi\\\" \\\\ \\/", "<b>&amp;</b>", "'; drop table pet; --", "null"
            })
    void name_ofAnyCharacters_isKeptExactly(String name) throws JsonProcessingException {
        Response response = createNamed("\"" + name + "\"");

        response.then().statusCode(201);
        String kept = text(key.given().get(response.header("Location")));
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(kept).get("name"), equalTo(json.readTree("\"" + name + "\"")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\u00eb", EMOJI})
    void name_of255CodePoints_isAcceptedAndALongerOneRefused(String codePoint) {
        createNamed("\"" + codePoint.repeat(255) + "\"")
                .then()
                .statusCode(201)
                .body("name", equalTo(codePoint.repeat(255)));
        createNamed("\"" + codePoint.repeat(256) + "\"")
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo("name must have at most 255 characters."));
    }

    private Response createNamed(String name) {
        return create("{\"name\": " + name + ", \"categoryId\": 3}");
    }

    private Response create(String body) {
        return key.given().contentType("application/json").body(body).post("/v1/pets");
    }

    private static long id(Response response) {
        return response.jsonPath().getLong("id");
    }
}
