package dev.animalstore.store.pet;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.Management;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.netty.handler.codec.DateFormatter;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.builder.ResponseSpecBuilder;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import io.restassured.specification.ResponseSpecification;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class GetPetTest {
    private static TestKey key;
    private static long id;

    @BeforeAll
    static void issueKeyAndAddPet() {
        key = TestKey.unlimited();
        id = TestDatabase.add("insert into pet (name, category_id, status) values ('Rex', 3, 'sold') returning id")
                .get(0);
    }

    @Test
    void get_existing_returnsThePetAndTheRetirementOfTheOperation() {
        Response response = key.given().get("/v1/pets/" + id);

        response.then()
                .spec(metered())
                .spec(retiring())
                .statusCode(200)
                .header("Content-Type", startsWith("application/json"));
        assertThat(
                text(response), equalTo("{\"id\":" + id + ",\"name\":\"Rex\",\"categoryId\":3,\"status\":\"sold\"}"));
    }

    @Test
    void list_showsAPetAsGetDoes() {
        Response list = key.given().get("/v1/pets?limit=1&status=sold");

        Response pet = key.given().get("/v1/pets/" + list.path("id[0]"));
        assertThat(text(list), equalTo("[" + text(pet) + "]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                "99999999999999999999999", "00000000000000000001", "'%20or%201=1",
                "0", "-1", "%2B1",
                "1.0", "1e0", "0x1",
                "abc", "%201", "1%00",
                "%D9%A1", "%EF%BC%91"
            })
    void get_ofAnIdOfNoPet_isNotFoundAndHasTheRetirementOfTheOperation(String petId) {
        key.given()
                .urlEncodingEnabled(false)
                .get("/v1/pets/" + petId)
                .then()
                .spec(error(404, "pet_not_found"))
                .spec(retiring())
                .body("message", equalTo("There is no such pet."));
    }

    @Test
    void get_withAnEndingKey_hasTheEarliestDatesOnce() {
        Instant now = Instant.now();
        String ofSecret = "rotated_at = '" + now + "', expires_at = '" + now.plusSeconds(3600) + "'";
        Map<TestKey, Instant> ends = Map.of(
                TestKey.unlimited().updateSecret(ofSecret), now.plusSeconds(3600),
                TestKey.unlimited().updateSecret(ofSecret).update("expires_at = '" + now.plusSeconds(60) + "'"),
                        now.plusSeconds(60),
                TestKey.unlimited().update("expires_at = '" + now.plus(Duration.ofDays(29)) + "'"),
                        now.plus(Duration.ofDays(29)),
                TestKey.unlimited().update("expires_at = '" + now.plus(Duration.ofDays(31)) + "'"),
                        Instant.parse("2030-12-05T00:00:00Z"));

        ends.forEach((ending, end) -> {
            Headers headers = ending.given().get("/v1/pets/" + id).headers();
            assertThat(headers.getValues("Deprecation"), equalTo(List.of("@1764892800")));
            assertThat(headers.getValues("Sunset"), equalTo(List.of(DateFormatter.format(Date.from(end)))));
        });
    }

    @Test
    void get_isCountedAndListIsNot() {
        String counter = "animalstore_deprecated_requests_total{operation=\"getPet\"}";
        double before = Management.metric(counter);
        key.given().get("/v1/pets/" + id);
        key.given().get("/v1/pets/abc");
        key.given().get("/v1/pets");

        assertThat(Management.metric(counter), equalTo(before + 2));
    }

    @Test
    void sunset_isAMetric() {
        assertThat(Management.metric("animalstore_deprecated_sunset_seconds{operation=\"getPet\"}"), equalTo((double)
                Instant.parse("2030-12-05T00:00:00Z").getEpochSecond()));
    }

    private static ResponseSpecification retiring() {
        return new ResponseSpecBuilder()
                .expectHeader("Deprecation", "@1764892800")
                .expectHeader("Sunset", "Thu, 05 Dec 2030 00:00:00 GMT")
                .expectHeader("Link", "<http://localhost:" + RestAssured.port + "/v1/pets>; rel=\"successor-version\"")
                .build();
    }
}
