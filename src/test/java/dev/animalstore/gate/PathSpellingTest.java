package dev.animalstore.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every spelling of a path of the API requires a key. */
@QuarkusTest
class PathSpellingTest {
    private static final String SPELLINGS = """
            /v1 /v1/ /v1/pets /v1/pets/ /v1/pets// /v1/pets/1 /v1/store/orders /v1/pets? /v1/pets?limit=1
            /v1/pets#x //v1/pets ///v1///pets /v1//pets /./v1/pets /v1/./pets /v1/pets/. /v1/../v1/pets
            /x/../v1/pets /q/../v1/pets /q/openapi/../../v1/pets /../v1/pets /q/%2e%2e/v1/pets /x/%2e%2e/v1/pets
            /x/%2E./v1/pets /x/..%2fv1/pets /%2e/v1/pets /v1/%2e/pets /%2e%2e/v1/pets /%761/pets /%76%31/pets
            /v%31/p%65ts /v1/p%65ts /v1%2Fpets /v1%2fpets /%2Fv1/pets /%2fv1%2fpets %2Fv1/pets /%252Fv1/pets
            /%2576%2531/pets /%252e/v1/pets /;x=1/v1/pets /;/v1/pets /v1;x=1/pets /v1;/pets /v1/;x=1/pets
            /v1/pets;x=1 /v1%3Bx=1/pets /v1/pets%3bx=1 /.;/v1/pets /x/..;/v1/pets /v1\\pets \\v1\\pets
            /\\v1/pets /v1%5Cpets /%5Cv1/pets /x/..%5cv1/pets /%00/v1/pets /v1%00/pets /v1/pets%00
            /v1/pets%00.json /%20/v1/pets /v1%20/pets /v1/pets%20 /%09v1/pets /v1%0a/pets /v1/pets%23
            /v1/pets%3Flimit=1 /x?/v1/pets /V1/pets /V1/PETS /v1/Pets /%EF%BD%961/pets /v1/%C0%AFpets
            /v1/pets.json /v1/pets/1/.. http://localhost/v1/pets http://other.example/v1/pets
            HTTP://LOCALHOST/v1/pets https://localhost/v1/pets http://localhost//v1/pets http:/v1/pets
            http://localhost/q/../v1/pets http://user:secret@localhost/v1/pets //localhost/v1/pets v1/pets
            ?/v1/pets *
            """;

    @BeforeAll
    static void addPets() {
        TestDatabase.addPets(2, "available");
    }

    static String[] spellings() {
        return SPELLINGS.split("\\s+");
    }

    @ParameterizedTest
    @MethodSource("spellings")
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

    @Test
    void header_ofTwoKeys_revealsNothing() {
        String header = "Authorization: Bearer " + TestKey.of("free").text();

        RawHttp response = RawHttp.send("GET", "/v1/pets", "HTTP/1.1", header, header);

        assertEquals(401, response.status());
        assertGivesNothingAway(response);
    }

    @ParameterizedTest
    @CsvSource({"/q/openapi, 200", "/x, 404", "/v1x/pets, 404", "/v10/pets, 404"})
    void path_outsideTheApi_isNotMetered(String path, int status) {
        RawHttp response = RawHttp.send("GET", path, "HTTP/1.1");

        assertEquals(status, response.status());
        assertEquals("", response.header("X-RateLimit-Limit"));
    }

    /** Shows that the client of this test could see pets. */
    @ParameterizedTest
    @CsvSource({"/v1/pets, HTTP/1.1", "/v1/pets, HTTP/1.0", "http://localhost/v1/pets, HTTP/1.1"})
    void spelling_withKey_returnsPets(String target, String version) {
        String header = "authorization: Bearer " + TestKey.of("free").text();

        RawHttp response = RawHttp.send("GET", target, version, header);

        assertEquals(200, response.status());
        assertTrue(response.body().contains("\"categoryId\""));
        assertEquals("59", response.header("X-RateLimit-Remaining"));
    }

    private static void assertGivesNothingAway(RawHttp response) {
        assertTrue(response.status() / 100 != 2 && response.status() < 500, response::head);
        assertFalse(response.body().contains("categoryId"), response::head);
        if (response.status() == 401) {
            assertEquals("300", response.header("X-RateLimit-Limit"));
            assertTrue(response.header("WWW-Authenticate").startsWith("Bearer realm=\"animal-store\""), response::head);
        }
    }
}
