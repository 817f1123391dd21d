package dev.animalstore.web.input;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A resource that is written as in any Quarkus service, {@link OwnResource}, keeps the promises of the API. */
@QuarkusTest
class OwnResourceTest {
    private static final String BODIES = """
            ''            | application/json         | {"name":"a","count":2.0,"fresh":true,"weight":1.5,"parts":[{"name":"b"}]} | \
            {"name":"a","count":2,"fresh":true,"weight":1.5,"parts":[{"name":"b"}]}
            /later        | application/json         | {"name":"a","count":2} | {"name":"a","count":2,"fresh":null,"weight":null,"parts":null}
            /bean         | application/json         | {"name":"a","count":2} | {"name":"a","count":2}
            /list         | application/json         | [{"name":"a"}]         | [{"name":"a"}]
            /stream       | application/octet-stream | abc                    | abc
            /form         | application/x-www-form-urlencoded | name=a+b      | a b
            /form-later   | application/x-www-form-urlencoded | name=a+b      | a b
            /file         | multipart/form-data; boundary=x   | FILE          | abc
            """;

    private static final String FILE =
            "--x\r\nContent-Disposition: form-data; name=\"name\"; filename=\"a\"\r\n\r\nabc\r\n--x--\r\n";

    /** More than there are worker threads. */
    private static final int MANY = 25;

    private final TestKey key = TestKey.unlimited();

    /** Bodies that do not come to an end hold no thread that another one needs. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = BODIES)
    void body_ofEachType_isReadWhileManyAreSlow(String path, String type, String sent, String read) throws IOException {
        String body = sent.replace("FILE", FILE);
        String request = "POST /v1/own" + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key.text()
                + "\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        String begin = request.substring(0, request.length() - 2);
        List<KeptConnection> slow = KeptConnection.open(MANY, RestAssured.port, begin);
        try (KeptConnection other = new KeptConnection(RestAssured.port)) {
            assertEquals(read, other.send(request).read().body());

            for (KeptConnection connection : slow) {
                assertEquals(
                        read,
                        connection
                                .send(request.substring(begin.length()))
                                .read()
                                .body());
            }
        } finally {
            KeptConnection.closeAll(slow);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = BODIES)
    void body_ofEachTypeThatIsTooLargeOrOfAnotherType_isRefused(String path, String type) {
        RawHttp large = RawHttp.send("POST", "/v1/own" + path, "a".repeat(65_537), key, "Content-Type: " + type);
        assertEquals(413, large.status());
        assertEquals(
                "{\"code\":\"payload_too_large\",\"message\":\"The body must not exceed 65536 bytes.\",\"status\":413}",
                large.body());

        RawHttp other = RawHttp.send("POST", "/v1/own" + path, "a", key, "Content-Type: image/png");
        assertEquals(415, other.status());
        assertThat(
                other.body(),
                matchesPattern("\\{\"code\":\"unsupported_media_type\",\"message\":\"[^\"]+\\.\",\"status\":415}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            ''    | {"name":" ","count":10,"fresh":"x","parts":[1]} | \
            name must not be blank; count must be at most 9; fresh must be true or false; parts[0] must be an object.
            ''    | {"name":"a","parts":[{"name":"abcd"}],"more":1} | more is unknown; count is required.
            ''    | {"name":"a","count":1,"parts":[{"name":"abcd"}]} | parts[0].name must have at most 3 characters.
            /bean | {"name":"","count":10}  | count must be at most 9; name must not be blank.
            /bean | {"name":"a","count":"1"} | count must be an integer.
            /bean | []                      | The body must be an object.
            /list | [{"name":1}]            | The body[0].name must be a string.
            /list | [{"name":"a\\u0000"}]   | The body must not contain U+0000.
            /list | [{"name":"a"},{"name":"abcd"}] | The body[1].name must have at most 3 characters.
            /kinds | {"items":[1,0],"day":"2030-12-05T00:00:00Z","colour":"LIGHT","text":"\\u0000"} | \
            items[1] must be at least 1; day must be a date such as 2030-12-05; colour must be one of DARK, light; text must not contain U+0000.
            """)
    void body_thatIsInvalid_isRefusedWithEachMember(String path, String body, String message) {
        given().contentType("application/json")
                .body(body)
                .post("/v1/own" + path)
                .then()
                .spec(error(400, "validation_failed"))
                .body("message", equalTo(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            counts?count=10 | 400 | invalid_parameter | count must be at most 9.
            counts?count=x  | 400 | invalid_parameter | count is malformed.
            counts?page-size=x   | 400 | invalid_parameter | page-size is malformed.
            counts?page-size=10  | 400 | invalid_parameter | page-size must be at most 9.
            colours?colour=LIGHT | 400 | invalid_parameter | colour must be one of DARK, light.
            counts?kind=1&kind=2 | 400 | invalid_parameter | kind must be given once, must not be empty, and must not contain NUL.
            x               | 404 | not_found         | No such path.
            tags?count=1    | 404 | not_found         | No such path.
            tags?tag=       | 400 | invalid_parameter | tag must be given once, must not be empty, and must not contain NUL.
            """)
    void parameter_thatIsInvalid_isRefused(String path, int status, String code, String message) {
        given().get("/v1/own/" + path).then().spec(error(status, code)).body("message", equalTo(message));
    }

    @Test
    void parameter_thatIsAList_hasAllItsValues() {
        given().get("/v1/own/tags?tag=a&tag=b").then().statusCode(200).body(equalTo("a b"));
    }

    @ParameterizedTest
    @CsvSource({
        "403, forbidden, Forbidden.",
        "404, not_found, There is no such order.",
        "406, not_acceptable, Not Acceptable.",
        "409, conflict, The order was changed.",
        "422, unprocessable_entity, Unprocessable Entity.",
    })
    void exception_ofAClientsError_keepsItsStatusAndMessage(int status, String code, String message) {
        given().get("/v1/own/failures/" + status)
                .then()
                .spec(error(status, code))
                .body("message", equalTo(message));
    }

    @Test
    void exception_ofTheServer_keepsItsStatusAndHidesItsMessage() {
        given().get("/v1/own/failures/501")
                .then()
                .spec(error(501, "not_implemented"))
                .body("message", matchesPattern("An internal error occurred\\. Reference: \\S+"));
        given().get("/v1/own/failures/500")
                .then()
                .spec(error(500, "internal_error"))
                .body("message", matchesPattern("An internal error occurred\\. Reference: \\S+"));
        given().get("/v1/own/failures/upstream")
                .then()
                .spec(error(500, "internal_error"))
                .body("message", matchesPattern("An internal error occurred\\. Reference: \\S+"));
        given().get("/v1/own/failures/503")
                .then()
                .spec(error(503, "service_unavailable"))
                .header("Retry-After", "7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"methods", "part/name"})
    void options_ofAnOperationAndOfASubresource_areNoDefect(String path) {
        given().options("/v1/own/" + path).then().statusCode(200).header("Allow", containsString("OPTIONS"));
        given().delete("/v1/own/methods").then().spec(error(405, "method_not_allowed"));
    }

    /** Whose clients have gone; more of them than operations that read may run at a time. */
    @Test
    void sinks_thatNobodyEnds_holdUpNothingElse() throws IOException {
        String request = RawHttp.head("GET /v1/own/sink", key.text(), "Accept: text/event-stream");
        KeptConnection.closeAll(KeptConnection.open(10, RestAssured.port, request));
        given().get("/v1/own/counts").then().statusCode(200);
    }

    @Test
    void exception_thatRedirects_redirects() {
        given().redirects()
                .follow(false)
                .get("/v1/own/failures/303")
                .then()
                .statusCode(303)
                .header("Location", matchesPattern(".*/v1/own/1"))
                .body(equalTo(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"syntax", "column", "table", "null"})
    void statement_thatIsWrong_isADefectWithAStackTrace(String kind) {
        List<Throwable> logged = new ArrayList<>();
        Logger log = Logger.getLogger("dev.animalstore.web.error.ApiError");
        log.setFilter(line -> logged.add(line.getThrown()));
        try {
            given().get("/v1/own/statements/" + kind).then().spec(error(500, "internal_error"));
        } finally {
            log.setFilter(null);
        }

        assertEquals(1, logged.size());
        assertTrue(logged.get(0).getStackTrace().length > 0);
    }

    @Test
    void caller_isAParameter() {
        TestKey free = TestKey.of("free");
        free.given().noFilters().get("/v1/own/caller").then().statusCode(200).body(equalTo(free.id() + " free"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"DARK", "light"})
    void enumeration_hasTheSameNamesAsParameterAndMember(String colour) {
        given().get("/v1/own/colours?colour=" + colour).then().statusCode(200).body(equalTo("\"" + colour + "\""));
        given().contentType("application/json")
                .body("{\"colour\":\"" + colour + "\"}")
                .post("/v1/own/kinds")
                .then()
                .statusCode(200)
                .body("colour", equalTo(colour));
    }

    @Test
    void codeAndException_ofItsOwn_areSent() {
        given().get("/v1/own/failures/closed")
                .then()
                .spec(error(409, "board_closed"))
                .body("message", equalTo("Board 99 is closed."));
        for (String kind : List.of("own", "wrapped")) {
            given().get("/v1/own/failures/" + kind).then().statusCode(418).body(equalTo("its own"));
        }
    }

    @Test
    void text_withNulInAPath_isRefused() {
        RawHttp response = RawHttp.send("GET", "/v1/own/texts/a%00", "", key);
        assertEquals(400, response.status());
        assertEquals(
                "{\"code\":\"bad_request\",\"message\":\"No text may contain U+0000.\",\"status\":400}",
                response.body());
    }

    /** More of them than operations that read may run at a time. */
    @Test
    void streams_thatLast_holdUpNothingElse() throws IOException {
        String request = RawHttp.head("GET /v1/own/events", key.text(), "Accept: text/event-stream");
        List<KeptConnection> streams = KeptConnection.open(10, RestAssured.port, request);
        for (KeptConnection stream : streams) {
            Awaitility.await().until(stream::hasReceived);
        }
        given().get("/v1/own/counts").then().statusCode(200);
        KeptConnection.closeAll(streams);
    }

    private RequestSpecification given() {
        // The document does not have this resource.
        return key.given().noFilters();
    }
}
