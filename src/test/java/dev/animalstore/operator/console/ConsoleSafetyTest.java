package dev.animalstore.operator.console;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import org.hamcrest.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the console's pages, their security headers, and values in them that look like markup. */
@QuarkusTest
class ConsoleSafetyTest extends SignedIn {
    private static final String ASKED = "/console/sign-in?to=";

    @ParameterizedTest
    @CsvSource({
        "GET,/console",
        "GET,/console/",
        "GET,/console/keys",
        "GET,/console/keys/1/change",
        "GET,/console/issue",
        "GET,/console/nothing",
        "HEAD,/console/keys",
        "POST,/console/sign-out",
        "PUT,/console/keys",
        "DELETE,/console/nothing"
    })
    void page_withoutASession_redirectsToTheSignInAndShowsNothing(String method, String path) {
        List<RequestSpecification> strangers = List.of(
                Visitor.fromOwnPage(),
                Visitor.fromOwnPage().header("Authorization", "Bearer " + Operator.TOKEN),
                new Visitor("").given(),
                new Visitor(Operator.TOKEN).given(),
                new Visitor("99999999999.admin." + "A".repeat(43)).given(),
                new Visitor(visitor.cookie().replace(".admin.", "." + Operator.BILLING + ".")).given(),
                new Visitor(visitor.cookie().replace(".admin.", ".nobody.")).given(),
                new Visitor(visitor.cookie().replace(".admin.", ".")).given(),
                new Visitor(visitor.cookie().replaceFirst("^1", "2")).given());
        for (RequestSpecification stranger : strangers) {
            stranger.request(method, path)
                    .then()
                    .statusCode(303)
                    .header(
                            "Location",
                            equalTo(method.equals("GET") ? ASKED + path.replace("/", "%2F") : "/console/sign-in"))
                    .header("Cache-Control", "no-store")
                    .header("Content-Security-Policy", containsString("default-src 'none'"))
                    .body(equalTo(""));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/console/issue,/console/issue", "/console/keys/1/change,/console/keys/1/change",
        "/console/keys/1/ban/lift,/console/keys/1", "/console/keys/1/suspension/lift,/console/keys/1",
        "/console/keys/lookup,/console/keys"
    })
    void form_withoutASession_leadsBackToItByASignInThatSaysThatNothingWasChanged(String form, String page) {
        String signIn = Visitor.fromOwnPage()
                .formParam("owner", "in vain")
                .post(form)
                .then()
                .statusCode(303)
                .header("Location", equalTo("/console/sign-in?unsent=true&to=" + page.replace("/", "%2F")))
                .extract()
                .header("Location");
        String shown =
                Visitor.fromOwnPage().urlEncodingEnabled(false).get(signIn).asString();
        assertThat(shown, containsString("Nothing was changed."));
        assertThat(Visitor.hiddenFields(shown), equalTo(Map.of("to", page)));
        assertThat(
                Visitor.fromOwnPage().get("/console/sign-in").asString(), not(containsString("Nothing was changed.")));
    }

    /** Another application on the host, or on a path above, may have set a cookie of the same name, which browsers send as well. */
    @ParameterizedTest
    @ValueSource(strings = {"NAME=another; NAME=%s", "NAME=%s; NAME=another", "a=b; NAME=; NAME=%s"})
    void session_besideOtherCookiesOfThatName_isValid(String cookies) {
        Visitor.fromOwnPage()
                .header("Cookie", cookies.replace("NAME", Visitor.cookieName()).formatted(visitor.cookie()))
                .get("/console")
                .then()
                .statusCode(200);
    }

    /** Browsers send a cookie to every port of its host, so it has another name for each. */
    @ParameterizedTest
    @ValueSource(ints = {8081, 8082})
    void signIn_withTheToken_givesACookieOfThePortForTheConsoleOnlyThatScriptsCannotRead(int port) {
        Visitor.fromOwnPage()
                .header("Host", "localhost:" + port)
                .formParam("token", Operator.TOKEN)
                .post("/console/sign-in")
                .then()
                .statusCode(303)
                .header("Set-Cookie", not(containsString(Operator.TOKEN)))
                .header(
                        "Set-Cookie",
                        matchesPattern("console-" + port
                                + "=[A-Za-z0-9._-]+; Max-Age=28800;( Expires=[^;]+;)? Path=/console;"
                                + " HTTPOnly; SameSite=Lax"));
    }

    @Test
    void page_ofASession_namesItsOperator() {
        Map<String, String> names = Map.of(Operator.TOKEN, "admin", Operator.BILLING_TOKEN, Operator.BILLING);
        names.forEach((token, name) -> Visitor.signIn(token)
                .get("/console/keys")
                .statusCode(200)
                .body(containsString("Signed in as " + name + "<")));
        Visitor.fromOwnPage().get("/console/sign-in").then().body(not(containsString("Signed in")));
    }

    @ParameterizedTest
    @CsvSource({
        "/console/keys?owner=A%26B&plan=, /console/keys?owner=A%26B&plan=",
        "/console/usage?month=2026-10, /console",
        "/console/keys/7/usage?month=2026-10, /console/keys/7",
        "//elsewhere.example/, /console",
        "https://elsewhere.example/console/, /console",
        "/console/\u0101, /console",
        "'/console/\r\nSet-Cookie: a=b', /console"
    })
    void signIn_forAPage_leadsToItIfItIsOneOfTheConsole(String asked, String page) {
        String to = Visitor.hiddenFields(Visitor.fromOwnPage()
                        .queryParam("to", asked)
                        .get("/console/sign-in")
                        .asString())
                .get("to");
        Visitor.fromOwnPage()
                .contentType("application/x-www-form-urlencoded; charset=UTF-8")
                .formParams("token", Operator.TOKEN, "to", to)
                .post("/console/sign-in")
                .then()
                .statusCode(303)
                .header("Location", equalTo(page));
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
                .body(containsString("id=\"token-error\">The token is not valid.</span>"))
                .body(not(containsString(Operator.TOKEN)));
    }

    @Test
    void signOut_always_deletesTheCookie() {
        visitor.send("/console/sign-out", Map.of(), Map.of())
                .statusCode(303)
                .header("Location", equalTo("/console/sign-in"))
                .header("Set-Cookie", matchesPattern(Visitor.cookieName() + "=; Max-Age=0;.*Path=/console;.*"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/console/sign-in,303", "GET,/console,200", "GET,/console/nothing,404",
        "GET,/console/keys/x,404", "GET,/console/keys/999999999999999999,404", "PUT,/console/keys,405",
        "GET,/console/sign-out,405", "POST,/console,405"
    })
    void page_always_tellsBrowsersToStoreNothingAndLoadNothingElse(String method, String path, int status) {
        visitor.given()
                .request(method, path)
                .then()
                .statusCode(status)
                .contentType(status == 303 ? "" : "text/html;charset=UTF-8")
                .header("Cache-Control", "no-store")
                .header("Referrer-Policy", "same-origin")
                .header("X-Content-Type-Options", "nosniff")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header(
                        "Content-Security-Policy",
                        equalTo("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                                + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET,style.css,200,text/css;charset=UTF-8", "GET,page.js,200,text/javascript;charset=UTF-8",
        "GET,icon.svg,200,image/svg+xml", "GET,nothing,404,text/html;charset=UTF-8",
        "GET,..a%2Fquota.lua,404,text/html;charset=UTF-8", "POST,style.css,405,text/html;charset=UTF-8"
    })
    void asset_withoutASession_isServedAndNotStored(String method, String name, int status, String type) {
        Visitor.fromOwnPage()
                .urlEncodingEnabled(false)
                .request(method, "/console/assets/" + name)
                .then()
                .statusCode(status)
                .contentType(type)
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff");
    }

    /** Values that a browser would interpret as markup if they were not escaped. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
                "' autofocus onfocus=alert(1) x='", "</title><svg/onload=alert(1)>",
                "{key.key} {#if true}x{/if} {inject:vertx}", "&lt;b&gt; j\u0101va"
            })
    void owner_withMarkup_isTextOnEveryPage(String owner) {
        visitor.submit("/console/issue", Map.of("owner", owner, "plan", "free"))
                .statusCode(201)
                .body(shown(owner));
        String path = "/console/keys/" + TestDatabase.number("select max(id) from api_key");
        for (String page : List.of("", "/change", "/rotation", "/suspension", "/revocation")) {
            visitor.get(path + page).statusCode(200).body(shown(owner));
        }
        visitor.given().queryParam("owner", owner).get("/console/keys").then().body(shown(owner));
        visitor.submit(path + "/change", Map.of("owner", owner, "plan", "gold"))
                .statusCode(400)
                .body(shown(owner));
    }

    private static Matcher<String> shown(String owner) {
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
