package dev.animalstore.console;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.Operator;
import dev.animalstore.Rows;
import dev.animalstore.TestKey;
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
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets to the console's pages, which forms are taken, and what a browser is told. */
@QuarkusTest
class ConsoleSafetyTest {
    private static final String FORM = "application/x-www-form-urlencoded";

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
    void page_withoutASession_leadsToTheSignInAndShowsNothing(String method, String path) {
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
    void session_thatIsMadeUp_isNone(String cookie) {
        new Visitor(cookie).get("/console").then().statusCode(303).header("Location", equalTo("/console/sign-in"));
    }

    @Test
    void session_prolongedByItsHolder_isNone() {
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
    void cookie_withoutTls_isForTheConsoleAloneAndOutOfReach() {
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

    @Test
    void signIn_withAnotherToken_isRefusedAndGivesNoCookie() {
        Visitor.fromOwnPage()
                .formParam("token", Operator.TOKEN + "x")
                .post("/console/sign-in")
                .then()
                .statusCode(401)
                .contentType("text/html;charset=UTF-8")
                .header("Set-Cookie", nullValue())
                .body(containsString("The operators' token is not valid.".replace("'", "&#39;")))
                .body(not(containsString(Operator.TOKEN)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Sec-Fetch-Site | cross-site
            Sec-Fetch-Site | same-site
            Sec-Fetch-Site | none
            Origin         | https://elsewhere.example
            Origin         | null
            X-Nothing      | to tell where it comes from
            """)
    void form_ofAnotherOrigin_isNotTaken(String header, String value) {
        for (String path : new String[] {"/console/sign-in", "/console/issue", "/console/sign-out"}) {
            RestAssured.given()
                    .redirects()
                    .follow(false)
                    .cookie("console", visitor.cookie())
                    .header(header, value)
                    .formParams(Map.of("token", Operator.TOKEN, "owner", "x", "plan", "free"))
                    .post(path)
                    .then()
                    .statusCode(403)
                    .header("Set-Cookie", nullValue())
                    .body(containsString("did not come from a page of the console"));
        }
    }

    @Test
    void form_ofThisOriginByABrowserThatDoesNotSayTheSite_isTaken() {
        RestAssured.given()
                .redirects()
                .follow(false)
                .header("Origin", "http://" + address.getHost() + ":" + address.getPort())
                .formParam("token", Operator.TOKEN)
                .post("/console/sign-in")
                .then()
                .statusCode(303)
                .header("Location", equalTo("/console"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"issue", "sign-out", "keys/1/change", "keys/1/rotation", "keys/1/revocation", "keys/1/ban/lift"})
    void form_withoutTheTokenOfItsSession_isNotTaken(String path) {
        Visitor another = Visitor.signIn();
        String foreign =
                Visitor.hiddenFields(another.get("/console").asString()).get("form");
        for (String token : new String[] {"", "x", foreign}) {
            visitor.send("/console/" + path, Map.of("form", token), Map.of("owner", "forged", "plan", "free"))
                    .then()
                    .statusCode(403)
                    .contentType("text/html;charset=UTF-8");
        }
        assertEquals(
                0, Rows.query("select id from api_key where owner = 'forged'").size());
        visitor.get("/console").then().statusCode(200);
    }

    /** What a browser would take for markup if it were not written as text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' autofocus onfocus=alert(1) x='",
                "</title><svg/onload=alert(1)>",
                "{key.key} {#if true}x{/if} {inject:vertx}",
                "&lt;b&gt; \u202e\u2066 j\u0101va",
            })
    void owner_thatIsHostile_isTextOnEveryPage(String owner) {
        visitor.submit("/console/issue", Map.of("owner", owner, "plan", "free"))
                .then()
                .statusCode(201)
                .body(text(owner));
        long id = Rows.query("select max(id) from api_key").get(0);
        String path = "/console/keys/" + id;
        for (String page : new String[] {path, path + "/change", path + "/rotation", path + "/revocation"}) {
            visitor.get(page).then().statusCode(200).body(text(owner));
        }
        visitor.given()
                .queryParam("owner", owner)
                .get("/console/keys")
                .then()
                .statusCode(200)
                .body(text(owner));
        visitor.submit(path + "/change", Map.of("owner", owner, "plan", "gold"))
                .then()
                .statusCode(400)
                .body(text(owner));
    }

    @ParameterizedTest
    @CsvSource({"GET,/console/sign-in", "GET,/console", "GET,/console/keys", "GET,/console/nothing", "PUT,/console/keys"
    })
    void page_always_tellsBrowsersToKeepNothingAndLoadNothingElse(String method, String path) {
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
    void assets_ofTheCurrentVersion_areKeptForGoodAndOthersNot() {
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
    @CsvSource(delimiter = '|', textBlock = """
            PUT     | /console/keys    | 405
            DELETE  | /console/keys/1  | 405
            PATCH   | /console/keys/1  | 405
            GET     | /console/sign-out| 405
            POST    | /console         | 405
            """)
    void method_thatAPageDoesNotTake_isRefusedAsAPage(String method, String path, int status) {
        visitor.given().request(method, path).then().statusCode(status).contentType("text/html;charset=UTF-8");
    }

    @ParameterizedTest
    @CsvSource({"application/json,415", "text/plain,415", "multipart/form-data; boundary=x,415"})
    void form_ofAnotherType_isRefusedAsAPage(String type, int status) {
        visitor.given()
                .header("Content-Type", type)
                .body("{}".getBytes(StandardCharsets.UTF_8))
                .post("/console/issue")
                .then()
                .statusCode(status)
                .contentType("text/html;charset=UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%z1", "a=%c0%af", "a=1&a=2", "%ff=1"})
    void form_notWellFormed_isRefusedAsAPage(String body) {
        visitor.given()
                .contentType(FORM)
                .body(body)
                .post("/console/issue")
                .then()
                .statusCode(400)
                .body(containsString("<h1>Not taken</h1>"));
    }

    @Test
    void form_tooLarge_isRefusedAsAPage() {
        visitor.given()
                .contentType(FORM)
                .body("owner=" + "x".repeat(65536))
                .post("/console/issue")
                .then()
                .statusCode(413)
                .contentType("text/html;charset=UTF-8")
                .body(containsString("must not exceed 65536 bytes"));
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
    void document_ofThePublicInterface_knowsNothingOfTheConsole() throws IOException {
        RestAssured.get("/q/openapi").then().statusCode(200).body(not(containsString("console")));
    }

    private static org.hamcrest.Matcher<String> text(String owner) {
        String escaped = owner.replace("&", "&amp;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
        return owner.equals(escaped)
                ? containsString(owner)
                : allOf(containsString(escaped), not(containsString(owner)));
    }
}
