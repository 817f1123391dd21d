package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxy reports is used in links. */
class TrustedProxyIT {
    private final Replica replica = SharedReplicas.configured();
    private final TestKey key = TestKey.unlimited();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X-Forwarded-Host   | [:]
            X-Forwarded-Host   | 'a|b'
            X-Forwarded-Host   | a:99999
            X-Forwarded-Host   | ''
            X-Forwarded-Host   | ,
            X-Forwarded-Proto  | a b
            X-Forwarded-Proto  | ''
            X-Forwarded-Proto  | ,
            X-Forwarded-Port   | abc
            X-Forwarded-Port   | ''
            X-Forwarded-Port   | 999999
            X-Forwarded-Port   | ,
            X-Forwarded-For    | ,
            X-Forwarded-Prefix | '$"'
            X-Forwarded-Prefix | //a
            X-Forwarded-Prefix | ,
            """)
    void report_thatIsMalformed_isIgnored(String header, String value) throws IOException {
        post(Map.of(header, value))
                .statusCode(201)
                .header("Location", startsWith("http://127.0.0.1:" + replica.port() + "/v1/pets/"));
        assertThat(replica.log(), not(containsString("\"level\":\"ERROR\"")));
    }

    /** A pattern that recursed would exhaust the stack. */
    @Test
    void forwardedPrefix_ofManySegments_isUsed() throws IOException {
        String prefix = "/a".repeat(3000);

        post(Map.of("X-Forwarded-Prefix", prefix))
                .statusCode(201)
                .header("Location", startsWith("http://127.0.0.1:" + replica.port() + prefix + "/v1/pets/"));
        // Each line of which is one JSON document.
        assertThat(replica.events().toString(), not(containsString("\"level\":\"ERROR\"")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            api.example      | https        | 8443      | :8443
            api.example      | https        | 65535, 80 | :65535
            api.example      | https        | 443       | ''
            api.example:8443 | 'https,http' | ''        | :8443
            """)
    void forwardedAddress_thatIsWellFormed_isUsedInLinks(String host, String scheme, String port, String expected) {
        post(Map.of("X-Forwarded-Host", host, "X-Forwarded-Proto", scheme, "X-Forwarded-Port", port))
                .statusCode(201)
                .header("Location", startsWith("https://api.example" + expected + "/v1/pets/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/store", "/store/"})
    void forwardedPrefix_isPartOfEveryLinkAndLocation(String prefix) {
        String api = "http://127\\.0\\.0\\.1:[0-9]+/store/v1/pets";

        post(Map.of("X-Forwarded-Prefix", prefix)).statusCode(201).header("Location", matchesPattern(api + "/[0-9]+"));
        replica.given(key)
                .header("X-Forwarded-Prefix", prefix)
                .get("/v1/pets?limit=1")
                .then()
                .statusCode(200)
                .header("Link", matchesPattern("<" + api + "\\?limit=1&cursor=.{16}>; rel=\"next\""));
    }

    @Test
    void forwardedPrefix_isPartOfEveryAddressOfTheConsole() {
        console()
                .get("/console/keys")
                .then()
                .statusCode(303)
                .header("Location", "/store/console/sign-in?to=%2Fconsole%2Fkeys");
        assertPrefixed(console().get("/console/sign-in"));

        Response signedIn = console()
                .formParam("token", Operator.TOKEN)
                .formParam("to", "/console/keys")
                .post("/console/sign-in");
        signedIn.then()
                .statusCode(303)
                .header("Location", "/store/console/keys")
                .header("Set-Cookie", containsString("Path=/store/console;"));
        assertPrefixed(console().cookies(signedIn.cookies()).get("/console/keys"));
    }

    private ValidatableResponse post(Map<String, String> headers) {
        return replica.given(key)
                .headers(headers)
                .contentType("application/json")
                .body(Replica.PET.replace("Rex", "Forwarded"))
                .post("/v1/pets")
                .then();
    }

    /** A request for a page, or with a form, through a proxy with a prefix. */
    private RequestSpecification console() {
        return replica.given()
                .redirects()
                .follow(false)
                .urlEncodingEnabled(false)
                .headers("X-Forwarded-Prefix", "/store", "Sec-Fetch-Site", "same-origin");
    }

    private static void assertPrefixed(Response page) {
        page.then()
                .statusCode(200)
                .body(containsString("href=\"/store/console/assets/style.css\""), not(containsString("=\"/console")));
    }
}
