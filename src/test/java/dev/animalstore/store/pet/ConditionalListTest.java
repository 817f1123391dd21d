package dev.animalstore.store.pet;

import static dev.animalstore.fixture.Responses.remaining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.Header;
import io.restassured.response.Response;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entity tags of pages, and requests that name them (RFC 9110, sections 8.8.3 and 13.1.2). */
@QuarkusTest
class ConditionalListTest {
    private static final String PAGE = "/v1/pets?limit=2&status=sold";

    private final TestKey key = TestKey.unlimited();

    @BeforeAll
    static void addPets() {
        TestDatabase.addPets(5, "sold");
    }

    @Test
    void tag_ofAPage_isStrongAndOfThatPageOnly() {
        String tag = tag(PAGE);

        assertTrue(tag.matches("\"[0-9a-f]{22}\""), tag);
        assertEquals(tag, tag(PAGE));
        assertNotEquals(tag, tag("/v1/pets?limit=3&status=sold"));
    }

    @Test
    void notModified_hasEveryHeaderOfTheListButThoseOfTheBodyAndIsCharged() {
        Response list = get(PAGE, "\"another\"");
        Response notModified = get(PAGE, list.header("ETag"));

        assertEquals(304, notModified.statusCode());
        assertEquals("", notModified.body().asString());
        assertEquals(headers(list), headers(notModified));
        assertEquals("private, no-cache", notModified.header("Cache-Control"));
        assertEquals(list.header("Link"), notModified.header("Link"));
        assertEquals(list.header("ETag"), notModified.header("ETag"));
        assertEquals(remaining(list) - 1, remaining(notModified));
    }

    /** TAG has no quotation marks. Apache's mod_deflate names a page with an ending that it has compressed. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "TAG"             | 304
            W/"TAG"           | 304
            "a", "TAG"        | 304
            "TAG" , "a,b"     | 304
            W/"a",W/"TAG"     | 304
            *                 | 304
            ` * `             | 304
            "TAG-gzip"        | 304
            W/"TAG-br"        | 304
            "a", "TAG-gzip"   | 304
            "a"               | 200
            ``                | 200
            ""                | 200
            W/"a"             | 200
            "*"               | 200
            TAG               | 200
            "xTAG"            | 200
            """)
    void condition_thatNamesThePageOrNot_gets304OrThePage(String condition, int status) {
        String unquoted = tag(PAGE).replace("\"", "");

        Response list = get(PAGE, condition.replace("TAG", unquoted));

        assertEquals(status, list.statusCode());
        assertEquals(status == 200, list.asString().length() > 2, list.asString());
    }

    @Test
    void tag_ofTheSamePetsWithAnotherNextPage_isAnother() {
        TestDatabase.changePets("delete from pet where status = 'pending'");
        TestDatabase.addPets(2, "pending");
        String page = "/v1/pets?limit=2&status=pending";
        Response last = get(page, "\"another\"");
        TestDatabase.addPets(1, "pending");
        RedisState.changeCatalogue();
        Response followed = get(page, last.header("ETag"));

        assertEquals(200, followed.statusCode());
        assertEquals(last.body().asString(), followed.body().asString());
        assertNotEquals(last.header("Link"), followed.header("Link"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void condition_overSeveralLines_isRead(String method) {
        String authorization = "Authorization: Bearer " + key.text();
        String tag = "If-None-Match: " + tag(PAGE);

        RawHttp response = RawHttp.send(method, PAGE, "HTTP/1.1", authorization, "If-None-Match: \"a\"", tag);

        assertEquals(304, response.status());
    }

    private String tag(String page) {
        return key.given().get(page).then().statusCode(200).extract().header("ETag");
    }

    private Response get(String page, String condition) {
        return key.given().header("If-None-Match", condition).get(page);
    }

    /** The names of all headers but those of the body. */
    private static Set<String> headers(Response response) {
        return response.headers().asList().stream()
                .map(Header::getName)
                .map(String::toLowerCase)
                .filter(name -> !name.matches("content-(length|type)"))
                .collect(Collectors.toSet());
    }
}
