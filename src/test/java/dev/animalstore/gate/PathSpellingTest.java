package dev.animalstore.gate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every spelling of a path of the API requires a key. */
@QuarkusTest
class PathSpellingTest {
    @BeforeAll
    static void addPets() {
        TestDatabase.addPets(2, "available");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1", "/v1/", "/v1/pets", "/v1/pets/",
                "/v1/pets//", "/v1/pets/1", "/v1/store/orders", "/v1/pets?",
                "/v1/pets?limit=1", "/v1/pets#x", "//v1/pets", "///v1///pets",
                "/v1//pets", "/./v1/pets", "/v1/./pets", "/v1/pets/.",
                "/v1/../v1/pets", "/x/../v1/pets", "/q/../v1/pets", "/q/openapi/../../v1/pets",
                "/../v1/pets", "/q/%2e%2e/v1/pets", "/x/%2e%2e/v1/pets", "/x/%2E./v1/pets",
                "/x/..%2fv1/pets", "/%2e/v1/pets", "/v1/%2e/pets", "/%2e%2e/v1/pets",
                "/%761/pets", "/%76%31/pets", "/v%31/p%65ts", "/v1/p%65ts",
                "/v1%2Fpets", "/v1%2fpets", "/%2Fv1/pets", "/%2fv1%2fpets",
                "%2Fv1/pets", "/%252Fv1/pets", "/%2576%2531/pets", "/%252e/v1/pets",
                "/;x=1/v1/pets", "/;/v1/pets", "/v1;x=1/pets", "/v1;/pets",
                "/v1/;x=1/pets", "/v1/pets;x=1", "/v1%3Bx=1/pets", "/v1/pets%3bx=1",
                "/.;/v1/pets", "/x/..;/v1/pets", "/v1\\pets", "\\v1\\pets",
                "/\\v1/pets", "/v1%5Cpets", "/%5Cv1/pets", "/x/..%5cv1/pets",
                "/%00/v1/pets", "/v1%00/pets", "/v1/pets%00", "/v1/pets%00.json",
                "/%20/v1/pets", "/v1%20/pets", "/v1/pets%20", "/%09v1/pets",
                "/v1%0a/pets", "/v1/pets%23", "/v1/pets%3Flimit=1", "/x?/v1/pets",
                "/V1/pets", "/V1/PETS", "/v1/Pets", "/%EF%BD%961/pets",
                "/v1/%C0%AFpets", "/v1/pets.json", "/v1/pets/1/..", "http://localhost/v1/pets",
                "http://other.example/v1/pets", "HTTP://LOCALHOST/v1/pets", "https://localhost/v1/pets",
                        "http://localhost//v1/pets",
                "http:/v1/pets", "http://localhost/q/../v1/pets", "http://user:secret@localhost/v1/pets",
                        "//localhost/v1/pets",
                "v1/pets", "?/v1/pets", "*"
            })
    void spelling_withoutKey_revealsNothing(String target) {
        for (String version : new String[] {"HTTP/1.1", "HTTP/1.0"}) {
            assertGivesNothingAway(RawHttp.send("GET", target, version));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE",
                "CONNECT", "PROPFIND", "QUERY", "FOO", "get", "Get", "GETS"
            })
    void method_withoutKey_revealsNothing(String method) {
        assertGivesNothingAway(RawHttp.send(method, "/v1/pets", "HTTP/1.1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization:", "Authorization: ,",
                "Authorization : Bearer x", "Proxy-Authorization: Bearer x",
                "X-HTTP-Method-Override: OPTIONS", "X-Original-URL: /q/openapi",
                "X-Rewrite-URL: /q/openapi", "X-Forwarded-Prefix: /q",
                "X-Forwarded-Path: /q/openapi", "X-Forwarded-Uri: /q/openapi",
                "Forwarded: for=127.0.0.1;host=localhost;proto=https", "Expect: 100-continue"
            })
    void header_withoutKey_revealsNothing(String header) {
        assertGivesNothingAway(RawHttp.send("GET", "/v1/pets", "HTTP/1.1", header));
    }

    @Test
    void upgradeToHttp2_isNotMadeAndWithoutKeyRevealsNothing() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + "/v1/pets"))
                .version(HttpClient.Version.HTTP_2)
                .build();

        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());

        assertThat(response.version(), equalTo(HttpClient.Version.HTTP_1_1));
        assertThat(response.statusCode(), equalTo(401));
        assertThat(response.body(), containsString("\"missing_api_key\""));
        assertThat(response.headers().firstValue("X-RateLimit-Limit").orElse(""), equalTo("300"));
    }

    @Test
    void header_ofTwoKeys_revealsNothing() {
        String header = "Authorization: Bearer " + TestKey.of("free").text();

        RawHttp response = RawHttp.send("GET", "/v1/pets", "HTTP/1.1", header, header);

        assertThat(response.status(), equalTo(401));
        assertGivesNothingAway(response);
    }

    @ParameterizedTest
    @CsvSource({"/q/openapi, 200", "/x, 404", "/v1x/pets, 404", "/v10/pets, 404"})
    void path_outsideTheApi_isNotMetered(String path, int status) {
        RawHttp response = RawHttp.send("GET", path, "HTTP/1.1");

        assertThat(response.status(), equalTo(status));
        assertThat(response.header("X-RateLimit-Limit"), equalTo(""));
    }

    /** Shows that the client of this test could see pets. */
    @ParameterizedTest
    @CsvSource({"/v1/pets, HTTP/1.1", "/v1/pets, HTTP/1.0", "http://localhost/v1/pets, HTTP/1.1"})
    void spelling_withKey_returnsPets(String target, String version) {
        String header = "authorization: Bearer " + TestKey.of("free").text();

        RawHttp response = RawHttp.send("GET", target, version, header);

        assertThat(response.status(), equalTo(200));
        assertThat(response.body(), containsString("\"categoryId\""));
        assertThat(response.header("X-RateLimit-Remaining"), equalTo("59"));
    }

    private static void assertGivesNothingAway(RawHttp response) {
        assertThat(response.head(), response.status(), not(allOf(greaterThanOrEqualTo(200), lessThan(300))));
        assertThat(response.head(), response.status(), lessThan(500));
        assertThat(response.body(), not(containsString("categoryId")));
        if (response.status() == 401) {
            assertThat(response.header("X-RateLimit-Limit"), equalTo("300"));
            assertThat(response.header("X-RateLimit-Remaining"), matchesPattern("[0-9]+"));
            assertThat(response.header("X-RateLimit-Reset"), matchesPattern("[0-9]{10}"));
            assertThat(response.header("RateLimit-Policy"), equalTo("\"minute\";q=300;w=60, \"day\";q=10000;w=86400"));
            assertThat(
                    response.header("RateLimit"),
                    matchesPattern("\"minute\";r=[0-9]+;t=[0-9]+, \"day\";r=[0-9]+;t=[0-9]+"));
            assertThat(response.header("WWW-Authenticate"), matchesPattern("Bearer realm=\"animal-store\".*"));
        }
    }
}
