package dev.animalstore.pet;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class CreatePetTest {
    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    @Test
    void create_ofEveryMember_returnsThePetAsStored() {
        Response response = create("{\"status\": \"pending\", \"categoryId\": 3, \"name\": \"Rex\"}");

        response.then().spec(metered()).statusCode(201).header("Content-Type", startsWith("application/json"));
        assertThat(
                text(response),
                equalTo("{\"id\":" + id(response) + ",\"name\":\"Rex\",\"categoryId\":3,\"status\":\"pending\"}"));
    }

    @Test
    void create_location_isTheAbsoluteAddressOfThePet() {
        Response response = create("{\"name\": \"Rex\", \"categoryId\": 3}");

        String location = response.header("Location");
        assertThat(location, equalTo("http://localhost:" + RestAssured.port + "/v1/pets/" + id(response)));
        assertThat(text(key.given().get(location)), equalTo(text(response)));
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

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE})
    void create_ofCategoryId_keepsIt(long categoryId) {
        Response response = create("{\"name\": \"Rex\", \"categoryId\": " + categoryId + "}");

        response.then().statusCode(201);
        assertThat(text(response), containsString("\"categoryId\":" + categoryId + ","));
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
    void create_ofACategoryIdOfManyDigits_isRefusedAsOutOfBounds() {
        for (String number : List.of("9".repeat(60_000), "-" + "9".repeat(60_000), "9".repeat(60_000) + ".5")) {
            create("{\"name\": \"\", \"categoryId\": " + number + "}")
                    .then()
                    .spec(error(400, "validation_failed"))
                    .body("message", startsWith("name must not be blank; categoryId must be "));
        }
    }

    @Test
    void create_withUnknownMembersOfAnyLength_ignoresThem() {
        for (String member : List.of(
                "\"long\": " + "9".repeat(60_000),
                "\"long\": [0." + "1".repeat(60_000) + "]",
                "\"" + "k".repeat(60_000) + "\": 1")) {
            create("{\"name\": \"Rex\", \"categoryId\": 3, " + member + "}")
                    .then()
                    .statusCode(201);
        }
    }

    @Test
    void create_withUnknownMembersAndId_ignoresThem() {
        long other = id(create("{\"name\": \"Other\", \"categoryId\": 3}"));

        Response response =
                create("{\"id\": " + other + ", \"name\": \"Rex\", \"categoryId\": 3, \"owner\": {\"a\": [null]}}");

        response.then().statusCode(201);
        assertThat(id(response), greaterThan(other));
        assertThat(
                text(response),
                equalTo("{\"id\":" + id(response) + ",\"name\":\"Rex\",\"categoryId\":3,\"status\":\"available\"}"));
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

    private static long id(Response response) {
        return response.jsonPath().getLong("id");
    }
}
