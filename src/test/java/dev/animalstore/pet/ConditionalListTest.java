package dev.animalstore.pet;

import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.remaining;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

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

        assertThat(tag, matchesPattern("\"[0-9a-f]{22}\""));
        assertThat(tag(PAGE), equalTo(tag));
        assertThat(tag("/v1/pets?limit=3&status=sold"), not(equalTo(tag)));
    }

    @Test
    void notModified_hasEveryHeaderOfTheListButThoseOfTheBodyAndIsCharged() {
        Response list = get(PAGE, "\"another\"");
        Response notModified = get(PAGE, list.header("ETag"));

        assertThat(notModified.statusCode(), equalTo(304));
        assertThat(notModified.body().asString(), emptyString());
        assertThat(headers(notModified), equalTo(headers(list)));
        assertThat(notModified.header("Cache-Control"), equalTo("private, no-cache"));
        assertThat(notModified.header("Link"), equalTo(list.header("Link")));
        assertThat(notModified.header("ETag"), equalTo(list.header("ETag")));
        assertThat(remaining(notModified), equalTo(remaining(list) - 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "W/%s", "\"a\", %s", "%s , \"a,b\"", "W/\"a\",W/%s", "*", " * "})
    void condition_thatNamesThePage_gets304(String condition) {
        assertThat(get(PAGE, condition.formatted(tag(PAGE))).statusCode(), equalTo(304));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\"", "", "\"\"", "W/\"a\"", "\"*\"", "%s", "\"x%s\""})
    void condition_thatDoesNotNameThePage_getsThePage(String condition) {
        String unquoted = tag(PAGE).replace("\"", "");

        Response list = get(PAGE, condition.formatted(unquoted));

        assertThat(list.statusCode(), equalTo(200));
        assertThat(list.body().asString().length(), greaterThan(2));
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

        assertThat(followed.statusCode(), equalTo(200));
        assertThat(followed.body().asString(), equalTo(last.body().asString()));
        assertThat(followed.header("Link"), not(equalTo(last.header("Link"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s", "\"a\", %s", "W/%s, %1$s", "*"})
    void precondition_thatNamesThePage_isMet(String condition) {
        Response list = expect(condition.formatted(tag(PAGE)));

        list.then().statusCode(200).header("Cache-Control", "private, no-cache");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\"", "W/%s", "\"*\""})
    void precondition_thatDoesNotNameThePage_fails(String condition) {
        expect(condition.formatted(tag(PAGE))).then().spec(error(412, "precondition_failed"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void condition_overSeveralLines_isRead(String method) {
        String authorization = "Authorization: Bearer " + key.text();
        String tag = "If-None-Match: " + tag(PAGE);

        RawHttp response = RawHttp.send(method, PAGE, "HTTP/1.1", authorization, "If-None-Match: \"a\"", tag);

        assertThat(response.status(), equalTo(304));
    }

    @Test
    void page_afterAPetWasAdded_hasAnotherTag() {
        // A pet after a full page would not change it.
        TestDatabase.changePets("update pet set status = 'available' where status = 'pending'");
        String all = "/v1/pets?limit=100&status=pending";
        String before = tag(all);
        key.given()
                .contentType("application/json")
                .body("{\"name\": \"Rex\", \"categoryId\": 3, \"status\": \"pending\"}")
                .post("/v1/pets")
                .then()
                .statusCode(201);

        Response list = get(all, before);

        assertThat(list.statusCode(), equalTo(200));
        assertThat(list.header("ETag"), not(equalTo(before)));
    }

    @Test
    void condition_ofAnInvalidRequest_isIgnored() {
        Response refused = get("/v1/pets?limit=0", "*");

        assertThat(refused.statusCode(), equalTo(400));
        assertThat(refused.header("ETag"), nullValue());
    }

    private String tag(String page) {
        return key.given().get(page).then().statusCode(200).extract().header("ETag");
    }

    private Response expect(String condition) {
        return key.given().header("If-Match", condition).get(PAGE);
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
