package dev.animalstore.web.input;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.RawHttp;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.Header;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is outside of {@code /v1}, {@code /admin} and {@code /console} responds as without the engine. */
@QuarkusTest
class OtherResourceTest {
    @Test
    void body_ofAnyLengthAndType_isRead() {
        given().contentType("application/octet-stream")
                .body(new byte[200_000])
                .post("/other/length")
                .then()
                .statusCode(200)
                .body(equalTo("200000"));
    }

    /** Jackson converts the number, and ignores the other member. */
    @Test
    void body_ofJson_isReadByQuarkus() {
        given().contentType("application/json")
                .body("{\"name\":\"a\\u0000\",\"count\":\"7\",\"other\":1}")
                .post("/other/bean")
                .then()
                .statusCode(200)
                .body("count", equalTo(7));
    }

    @Test
    void constraint_isReportedByQuarkus() {
        given().contentType("application/json")
                .body("{\"name\":\"a\",\"count\":10}")
                .post("/other/bean")
                .then()
                .statusCode(400)
                .body("title", equalTo("Constraint Violation"))
                .body("violations.message", equalTo(List.of("must be less than or equal to 9")));
        given().get("/other/count?count=10")
                .then()
                .statusCode(400)
                .body(containsString("must be less than or equal to 9"));
    }

    @ParameterizedTest
    @CsvSource({
        "count?count=7&count=8, 200, count 7",
        "count?count=x, 404, ''",
        "filtered, 200, yes",
        "nothing, 404, ''",
        "failures/404, 404, ''"
    })
    void request_isAnsweredByQuarkus(String path, int status, String body) {
        given().get("/other/" + path).then().statusCode(status).body(equalTo(body));
    }

    @Test
    void exception_ofItsOwn_hasItsMapper() {
        given().get("/other/failures/own").then().statusCode(418).body(equalTo("its own"));
    }

    @Test
    void failure_isReportedByQuarkus() {
        given().get("/other/failures/defect")
                .then()
                .statusCode(500)
                .body(containsString("Error id"))
                .body(not(containsString("internal_error")));
    }

    @Test
    void accept_chooses() {
        given().accept("application/json")
                .get("/other/text")
                .then()
                .statusCode(200)
                .contentType("application/json");
        given().accept("image/png").get("/other/text").then().statusCode(406).body(equalTo(""));
    }

    @Test
    void response_hasNoHeaderOfTheEngine() {
        Set<String> names = given().header("X-Request-Id", "a").get("/other/text").headers().asList().stream()
                .map(Header::getName)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of("content-length", "content-type", "date"), names);
    }

    @Test
    void options_areThoseOfQuarkus() {
        given().options("/other/text").then().statusCode(200).header("X-RateLimit-Limit", equalTo(null));
    }

    /** A route of others has changed the path after the engine has seen it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/pets",
                "/v1/own/caller",
                "/v1/own/part/name",
                "/admin/keys",
                "/admin/keys/1",
                "/console",
                "/console/keys"
            })
    void route_thatLeadsToTheEngine_doesNotAdmit(String path) {
        given().get("/alias" + path).then().statusCode(500).body(not(containsString("owner")));
        given().get("/alias/other/count?count=1").then().statusCode(200);
    }

    @Test
    void target_thatIsMalformed_isRefused() {
        assertEquals(400, RawHttp.send("GET", "/other/%zz", "HTTP/1.1").status());
    }
}
