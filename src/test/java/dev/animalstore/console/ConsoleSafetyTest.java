package dev.animalstore.console;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the console's pages, and their security headers. */
@QuarkusTest
class ConsoleSafetyTest {
    @TestHTTPResource
    URI address;

    private Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/console",
        "GET,/console/",
        "GET,/console/keys",
        "GET,/console/keys/1",
        "GET,/console/keys/1/change",
        "GET,/console/issue",
        "GET,/console/nothing",
        "HEAD,/console/keys",
        "POST,/console/issue",
        "POST,/console/sign-out",
        "POST,/console/keys/1/ban/lift",
        "PUT,/console/keys",
        "DELETE,/console/nothing"
    })
    void page_withoutASession_redirectsToTheSignInAndShowsNothing(String method, String path) {
        Visitor.fromOwnPage()
                .request(method, path)
                .then()
                .statusCode(303)
                .header("Location", equalTo("/console/sign-in"))
                .header("Cache-Control", "no-store")
                .header("Content-Security-Policy", containsString("default-src 'none'"))
                .body(equalTo(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%63onsole/keys",
                "//console/keys",
                "/console;a=b/keys",
                "/;a=b/console/keys",
                "/./console/keys",
                "/v1/../console/keys",
                "/q/../console",
                "/console%2Fkeys",
                "/CONSOLE/keys",
                "/console/keys;a=b",
                "/console//keys",
                "/console/assets/../keys",
                "/console/assets/..%2Fkeys",
                "/console/sign-in/../keys",
                "/console/sign-in;a/..;/keys",
                "/console/sign-in/"
            })
    void page_withoutASessionByAnotherSpellingOfThePath_isNeverShown(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + address.getHost() + ":" + address.getPort() + path))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertTrue(
                response.statusCode() == 303 || response.statusCode() == 404, response.statusCode() + response.body());
        assertFalse(response.body().contains("<table"), response.body());
        assertFalse(response.body().contains("sign-out"), response.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "AAAAAAAAAAAAAAAAAAAAAA.99999999999.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "operators-token-for-development-only"
            })
    void session_thatIsMadeUp_isInvalid(String cookie) {
        new Visitor(cookie).get("/console").then().statusCode(303).header("Location", equalTo("/console/sign-in"));
    }

    @Test
    void session_prolongedByItsHolder_isInvalid() {
        String[] parts = visitor.cookie().split("\\.", -1);
        String longer = parts[0] + "." + (Long.parseLong(parts[1]) + 1) + "." + parts[2];
        new Visitor(longer).get("/console").then().statusCode(303);
        visitor.get("/console").then().statusCode(200);
    }

    @Test
    void session_signedOut_isEndedEvenForACopyOfItsCookie() {
        String page = visitor.get("/console").asString();
        visitor.send("/console/sign-out", Visitor.hiddenFields(page), Map.of())
                .then()
                .statusCode(303)
                .header("Location", equalTo("/console/sign-in"))
                .header("Set-Cookie", matchesPattern("console=; Max-Age=0;.*Path=/console;.*"));
        visitor.get("/console").then().statusCode(303).header("Location", equalTo("/console/sign-in"));
        visitor.get("/console/sign-in").then().statusCode(200);
    }

    @Test
    void cookie_withoutTls_isForTheConsoleOnlyAndNotReadableByScripts() {
        Response response =
                Visitor.fromOwnPage().formParam("token", Operator.TOKEN).post("/console/sign-in");
        response.then()
                .statusCode(303)
                .header(
                        "Set-Cookie",
                        matchesPattern(
                                "console=[A-Za-z0-9._-]+; Max-Age=28800;( Expires=[^;]+;)? Path=/console; HTTPOnly; SameSite=Strict"));
        assertFalse(response.header("Set-Cookie").contains(Operator.TOKEN));
    }

    @ParameterizedTest
    @CsvSource({"GET,/console/sign-in", "GET,/console", "GET,/console/keys", "GET,/console/nothing", "PUT,/console/keys"
    })
    void page_always_tellsBrowsersToStoreNothingAndLoadNothingElse(String method, String path) {
        visitor.given()
                .request(method, path)
                .then()
                .header("Cache-Control", "no-store")
                .header("Vary", "Cookie")
                .header("Referrer-Policy", "same-origin")
                .header("X-Content-Type-Options", "nosniff")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header(
                        "Content-Security-Policy",
                        equalTo(
                                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self';"
                                        + " frame-ancestors 'none'; base-uri 'none'"));
    }

    @Test
    void assets_ofTheCurrentVersion_areCachedForeverAndOthersNot() {
        String page = Visitor.fromOwnPage().get("/console/sign-in").asString();
        String folder = page.replaceFirst("(?s).*href=\"(/console/assets/[0-9a-f]{12})/style.css\".*", "$1");
        for (Map.Entry<String, String> asset : Map.of(
                        "style.css", "text/css;charset=UTF-8",
                        "copy.js", "text/javascript;charset=UTF-8",
                        "icon.svg", "image/svg+xml")
                .entrySet()) {
            RestAssured.get(folder + "/" + asset.getKey())
                    .then()
                    .statusCode(200)
                    .contentType(asset.getValue())
                    .header("Cache-Control", "public, max-age=31536000, immutable");
            RestAssured.get("/console/assets/x/" + asset.getKey())
                    .then()
                    .statusCode(200)
                    .header("Cache-Control", "no-store");
        }
        RestAssured.get(folder + "/nothing").then().statusCode(404);
        RestAssured.get(folder + "/..%2Fquota%2Fquota.lua").then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource({"GET,nothing,404", "POST,style.css,405", "OPTIONS,style.css,200", "GET,..%2Fx,404"})
    void errors_belowTheAssets_areNotStored(String method, String name, int status) {
        RestAssured.given()
                .urlEncodingEnabled(false)
                .header("Sec-Fetch-Site", "same-origin")
                .request(method, "/console/assets/x/" + name)
                .then()
                .statusCode(status)
                .header("Cache-Control", "no-store");
    }

    /** A sign-out is stored for longer than its session lasts, since a replica with a slow clock still accepts an expired session. */
    @Test
    void sessionEnd_ofASessionThatIsOver_isKeptWithAMargin() {
        TestDatabase.execute("""
                insert into console_session_end (session, expires_at)
                values ('recent', now() - interval '39 hours'), ('old', now() - interval '41 hours') on conflict do nothing""");
        String page = visitor.get("/console").asString();
        visitor.send("/console/sign-out", Visitor.hiddenFields(page), Map.of())
                .then()
                .statusCode(303);
        assertEquals("recent", TestDatabase.text("""
                select string_agg(session, ',') from console_session_end where session in ('recent', 'old')""").strip());
        TestDatabase.execute("delete from console_session_end where session = 'recent'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT     | /console/keys    | 405
            DELETE  | /console/keys/1  | 405
            PATCH   | /console/keys/1  | 405
            GET     | /console/sign-out| 405
            POST    | /console         | 405
            """)
    void method_thatAPageDoesNotSupport_isRefusedAsAPage(String method, String path, int status) {
        visitor.given().request(method, path).then().statusCode(status).contentType("text/html;charset=UTF-8");
    }

    @Test
    void token_asABearer_isNoSession() {
        Operator.given().redirects().follow(false).get("/console").then().statusCode(303);
        TestKey.of("free")
                .given()
                .redirects()
                .follow(false)
                .get("/console/keys")
                .then()
                .statusCode(303);
    }

    @Test
    void document_ofThePublicApi_doesNotMentionTheConsole() throws IOException {
        RestAssured.get("/q/openapi").then().statusCode(200).body(not(containsString("console")));
    }
}
