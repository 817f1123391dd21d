package dev.animalstore.error;

import static dev.animalstore.Answers.error;
import static dev.animalstore.Answers.metered;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import dev.animalstore.RawHttp;
import dev.animalstore.Rows;
import dev.animalstore.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request with a valid key is told when it fails before or beside a resource's own rules. */
@QuarkusTest
class ErrorsTest {
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":3}";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name=Rex",
                "{",
                "}",
                "{\"name\": \"Rex\", \"categoryId\": 3",
                "{'name': 'Rex', 'categoryId': 3}",
                "{name: \"Rex\", categoryId: 3}",
                "{\"name\": \"Rex\", \"categoryId\": 03}",
                "{\"name\": \"Rex\", \"categoryId\": +3}",
                "{\"name\": \"Rex\", \"categoryId\": NaN}",
                "{\"name\": \"Rex\", \"categoryId\": 3,}",
                "{\"name\": \"Re\nx\", \"categoryId\": 3}",
                "{\"name\": \"\\x\", \"categoryId\": 3}",
                "{\"name\": \"Rex\", \"categoryId\": 3} // comment",
                "{\"name\": \"Rex\", \"name\": \"Rex\", \"categoryId\": 3}",
                "{\"name\": \"Rex\", \"categoryId\": 3, \"other\": {\"a\": 1, \"a\": 1}}",
                "{\"name\": \"Rex\", \"n\\u0061me\": \"Max\", \"categoryId\": 3}",
                "{\"name\": \"Rex\", \"categoryId\": 3} {}",
                "{\"name\": \"Rex\", \"categoryId\": 3} x",
                "{\"name\": \"Rex\", \"categoryId\": 3}]"
            })
    void body_thatIsNotStrictJson_isMalformed(String body) {
        key.given()
                .contentType("application/json")
                .body(body)
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"))
                .body("message", containsString("(line "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void body_nestedAbsurdlyDeep_isMalformed(String opening) {
        key.given()
                .contentType("application/json")
                .body("{\"name\":\"Rex\",\"categoryId\":3,\"other\":" + opening.repeat(2_000))
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"))
                .body("message", containsString("nested too deeply"));
    }

    /** Bytes that UTF-8 never has, a sequence that ends early, and a character spelled in more bytes than it needs. */
    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "\u00fe", "\u0080", "\u00c3", "\u00c0\u0080", "\u00f8\u0088\u0080\u0080\u0080"})
    void body_thatIsNotUtf8_isMalformed(String bytes) {
        key.given()
                .contentType("application/json")
                .body(("{\"name\":\"R" + bytes + "x\",\"categoryId\":3}").getBytes(StandardCharsets.ISO_8859_1))
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
    void body_ofAnotherEncoding_isMalformed(String encoding) {
        key.given()
                .contentType("application/json")
                .body(PET.getBytes(Charset.forName(encoding)))
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1",
                "/v1/nothing",
                "/v1/pets/1/photos",
                "/v1/store",
                "/v1/store/orders/1",
                "/v1/Pets",
                "/v1/v1/pets"
            })
    void path_thatIsUnknown_isNotFound(String path) {
        key.given()
                .get(path)
                .then()
                .spec(error(404, "not_found"))
                .body("message", equalTo("There is nothing at this path."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PUT    | /v1/pets         | GET, HEAD, OPTIONS, POST
                    DELETE | /v1/pets         | GET, HEAD, OPTIONS, POST
                    PATCH  | /v1/pets         | GET, HEAD, OPTIONS, POST
                    POST   | /v1/pets/1       | GET, HEAD, OPTIONS
                    PUT    | /v1/pets/1       | GET, HEAD, OPTIONS
                    PATCH  | /v1/pets/1       | GET, HEAD, OPTIONS
                    DELETE | /v1/pets/1       | GET, HEAD, OPTIONS
                    POST   | /v1/store/orders | GET, HEAD, OPTIONS
                    DELETE | /v1/store/orders | GET, HEAD, OPTIONS
                    """)
    void method_thatThePathDoesNotHave_isNotAllowed(String method, String path, String allowed) {
        key.given()
                .contentType("application/json")
                .body(PET)
                .request(method, path)
                .then()
                .spec(error(405, "method_not_allowed"))
                .header("Allow", equalTo(allowed))
                .body("message", equalTo("This path takes " + allowed + "."));
    }

    @Test
    void method_options_listsTheMethods() {
        key.given()
                .options("/v1/pets")
                .then()
                .spec(metered())
                .statusCode(200)
                .header(
                        "Allow",
                        matchesPattern("(?=.*\\bGET\\b)(?=.*\\bHEAD\\b)(?=.*\\bOPTIONS\\b)(?=.*\\bPOST\\b).*"));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/pets, text/html",
        "/v1/pets, application/xml",
        "/v1/pets/1, text/plain",
        "/v1/store/orders, 'image/png, text/*'"
    })
    void accept_withoutJson_isNotAcceptable(String path, String accept) {
        key.given().accept(accept).get(path).then().spec(error(406, "not_acceptable"));
    }

    @Test
    void accept_withoutJson_addsNoPet() {
        String name = UUID.randomUUID().toString();

        key.given()
                .accept("text/html")
                .contentType("application/json")
                .body("{\"name\":\"" + name + "\",\"categoryId\":3}")
                .post("/v1/pets")
                .then()
                .spec(error(406, "not_acceptable"));
        assertThat(Rows.query("select id from pet where name = '" + name + "'"), equalTo(List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "application/*",
                "application/json",
                "text/html, application/json;q=0.1",
                "application/json;charset=utf-8"
            })
    void accept_withJson_isServed(String accept) {
        key.given()
                .accept(accept)
                .get("/v1/pets?limit=1")
                .then()
                .spec(metered())
                .statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/merge-patch+json",
                "application/jsonx",
                "text/json",
                "application/xml"
            })
    void contentType_otherThanJson_isUnsupported(String contentType) {
        RawHttp answer = RawHttp.send("POST", "/v1/pets", PET, key, "Content-Type: " + contentType);

        assertThat(answer.status(), equalTo(415));
        assertThat(
                answer.body(),
                equalTo(
                        "{\"code\":\"unsupported_media_type\",\"message\":\"The body must be application/json.\",\"status\":415}"));
        assertThat(answer.header("Content-Type"), equalTo("application/json"));
    }

    @Test
    void contentType_absent_isUnsupported() {
        RawHttp answer = RawHttp.send("POST", "/v1/pets", PET, key);

        assertThat(answer.status(), equalTo(415));
        assertThat(answer.body(), containsString("\"unsupported_media_type\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-8",
                "Application/JSON",
                "application/json;charset=\"UTF-8\""
            })
    void contentType_json_isAccepted(String contentType) {
        RawHttp answer = RawHttp.send("POST", "/v1/pets", PET, key, "Content-Type: " + contentType);

        assertThat(answer.status(), equalTo(201));
    }

    @Test
    void order_ofBadKeyAndBadBody_isUnauthorized() {
        RestAssured.given()
                .header("Authorization", "Bearer " + key.text() + "0")
                .contentType("text/plain")
                .body("{")
                .post("/v1/pets")
                .then()
                .spec(error(401, "invalid_api_key"));
    }

    @Test
    void order_ofSpentQuotaAndBadBody_isTooManyRequests() {
        TestKey spent = TestKey.of(1, 1);
        spent.given().get("/v1/pets");

        spent.given()
                .contentType("text/plain")
                .body("{")
                .post("/v1/pets")
                .then()
                .spec(error(429, "rate_limit_exceeded"));
    }

    @Test
    void order_ofBadMethodAndBadBody_isMethodNotAllowed() {
        key.given().contentType("text/plain").body("{").put("/v1/pets").then().spec(error(405, "method_not_allowed"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/nothing, 404",
        "PUT, /v1/pets, 405",
        "GET, /v1/pets?limit=0, 400",
        "POST, /v1/pets, 415",
        "GET, /v1/pets/abc, 404"
    })
    void request_thatFailsBehindTheGate_isCharged(String method, String path, int status) {
        TestKey free = TestKey.of("free");

        free.given()
                .request(method, path)
                .then()
                .statusCode(status)
                .header("X-RateLimit-Limit", "60")
                .header("X-RateLimit-Remaining", "59");
        free.given().get("/v1/pets").then().header("X-RateLimit-Remaining", "58");
    }

    @Test
    void defect_isInternalErrorWithNothingButAReference() {
        Rows.whileOrdersAre(
                "select 1 as id",
                () -> key.given()
                        .get("/v1/store/orders")
                        .then()
                        .spec(error(500, "internal_error"))
                        .body("message", matchesPattern("Something went wrong here\\. Reference: [0-9a-f-]{36}\\.?"))
                        .body(not(containsString("store_order"))));
    }

    @Test
    void databaseOutage_isServiceUnavailable() {
        Rows.whileOrdersAre(
                Rows.OUT_OF_REACH,
                () -> key.given()
                        .get("/v1/store/orders")
                        .then()
                        .spec(error(503, "service_unavailable"))
                        .header("Retry-After", matchesPattern("[1-9][0-9]*")));
    }
}
