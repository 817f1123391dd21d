package dev.animalstore.error;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which media types a client may send and accept. */
@QuarkusTest
class MediaTypesTest {
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":3}";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
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
        assertThat(TestDatabase.query("select id from pet where name = '" + name + "'"), equalTo(List.of()));
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
                "application/xml",
                "*/*",
                "application/*",
                ""
            })
    void contentType_otherThanJson_isUnsupported(String contentType) {
        RawHttp response = post("Content-Type: " + contentType);

        assertThat(response.status(), equalTo(415));
        assertThat(
                response.body(),
                equalTo(
                        "{\"code\":\"unsupported_media_type\",\"message\":\"The body must be application/json.\",\"status\":415}"));
        assertThat(response.header("Content-Type"), equalTo("application/json"));
    }

    @Test
    void contentTypes_ofWhichOneIsJson_areUnsupported() {
        RawHttp response = post("Content-Type: application/json", "Content-Type: text/plain");

        assertThat(response.status(), equalTo(415));
        assertThat(response.body(), containsString("\"unsupported_media_type\""));
    }

    @Test
    void contentType_absent_isUnsupported() {
        RawHttp response = post();

        assertThat(response.status(), equalTo(415));
        assertThat(response.body(), containsString("\"unsupported_media_type\""));
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
        RawHttp response = post("Content-Type: " + contentType);

        assertThat(response.status(), equalTo(201));
    }

    /** Posts a pet over a raw connection, since an HTTP client would add a content type. */
    private static RawHttp post(String... headers) {
        return RawHttp.send("POST", "/v1/pets", PET, key, headers);
    }
}
