package dev.animalstore.console;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.Operator;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An operator at the console of the tested application, as a browser behaves: with a cookie, and what the form on the page holds.
 *
 * @param cookie the value of the session's cookie
 */
record Visitor(String cookie) {
    private static final Pattern HIDDEN =
            Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\">");

    /** Signs in. */
    static Visitor signIn() {
        Response response = fromOwnPage().formParam("token", Operator.TOKEN).post("/console/sign-in");
        response.then()
                .statusCode(303)
                .header("Location", equalTo("/console"))
                .header("Set-Cookie", startsWith("console="));
        return new Visitor(response.cookie("console"));
    }

    /** A request of a form on one of the console's own pages, without a session. */
    static RequestSpecification fromOwnPage() {
        return RestAssured.given().redirects().follow(false).header("Sec-Fetch-Site", "same-origin");
    }

    /** A request with the session. */
    RequestSpecification given() {
        return fromOwnPage().cookie("console", cookie);
    }

    /** Opens a page. */
    Response get(String path) {
        return given().get(path);
    }

    /** The fields of the form for an address on a page that nobody sees, which hold what a browser sends along. */
    Map<String, String> hiddenFields(String path, String action) {
        String page = get(path).then().statusCode(200).extract().asString();
        int start = page.indexOf("action=\"" + action + "\"");
        if (start < 0) {
            throw new AssertionError("no form for " + action + " on " + page);
        }
        return hiddenFields(page.substring(start, page.indexOf("</form>", start)));
    }

    /** The fields of a form that nobody sees. */
    static Map<String, String> hiddenFields(String form) {
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher hidden = HIDDEN.matcher(form);
        while (hidden.find()) {
            fields.put(unescaped(hidden.group(1)), unescaped(hidden.group(2)));
        }
        return fields;
    }

    /** Opens a page, fills in the form on it that is sent to the same address, and sends it. */
    Response submit(String path, Map<String, String> typed) {
        return send(path, hiddenFields(path, path), typed);
    }

    /** Sends a form. */
    Response send(String path, Map<String, String> hidden, Map<String, String> typed) {
        return given().contentType("application/x-www-form-urlencoded; charset=UTF-8")
                .formParams(hidden)
                .formParams(typed)
                .post(path);
    }

    private static String unescaped(String html) {
        return html.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }
}
