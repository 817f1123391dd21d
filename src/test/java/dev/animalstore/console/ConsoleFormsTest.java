package dev.animalstore.console;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which forms the console accepts, and how it shows their content. */
@QuarkusTest
class ConsoleFormsTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @TestHTTPResource
    URI address;

    private Visitor visitor;

    @BeforeEach
    void signIn() {
        visitor = Visitor.signIn();
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
                .header("WWW-Authenticate", "Form realm=\"animal-store-console\"")
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
    void form_ofAnotherOrigin_isRefused(String header, String value) {
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
    void form_ofThisOriginByABrowserThatDoesNotSendTheSite_isAccepted() {
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
    void form_withoutTheTokenOfItsSession_isRefused(String path) {
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
                0,
                TestDatabase.query("select id from api_key where owner = 'forged'")
                        .size());
        visitor.get("/console").then().statusCode(200);
    }

    /** Values that a browser would interpret as markup if they were not escaped. */
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
    void owner_withMarkup_isTextOnEveryPage(String owner) {
        visitor.submit("/console/issue", Map.of("owner", owner, "plan", "free"))
                .then()
                .statusCode(201)
                .body(text(owner));
        long id = TestDatabase.query("select max(id) from api_key").get(0);
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

    /** A malformed type is refused before it is parsed, also if the client is not signed in. */
    @ParameterizedTest
    @ValueSource(strings = {"x", ";", "/", "\"", "application/", "\u00e9", FORM + ", text/plain"})
    void form_ofAMalformedType_isRefusedWithoutADefect(String type) {
        for (String path : new String[] {"/console/sign-in", "/console/issue", "/console/keys/1/rotation"}) {
            RawHttp response = RawHttp.send(
                    "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nCookie: console="
                            + visitor.cookie() + "\r\nContent-Type: " + type
                            + "\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b");
            assertEquals(415, response.status(), path + response);
            assertThat(response.body(), containsString("<h1>Not accepted</h1>"));
        }
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
                .body(containsString("<h1>Not accepted</h1>"));
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
