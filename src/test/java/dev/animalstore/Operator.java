package dev.animalstore;

import static org.hamcrest.Matchers.equalTo;

import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import org.hamcrest.Matcher;

/** What operators send to the tested application, and how it answers them. */
public final class Operator {
    /** The token of the test profile. */
    public static final String TOKEN = "operators-token-for-development-only";

    private Operator() {}

    /** A request that carries the operators' token. */
    public static RequestSpecification given() {
        return RestAssured.given().header("Authorization", "Bearer " + TOKEN);
    }

    /** A request that carries a JSON body as well. */
    public static RequestSpecification given(String body) {
        return given().contentType("application/json").body(body);
    }

    /** Issues a key as the body says. */
    public static TestKey issue(String body) {
        ValidatableResponse issued =
                given(body).post("/admin/keys").then().statusCode(201).header("Cache-Control", "no-store");
        return new TestKey(
                issued.extract().jsonPath().getLong("id"), issued.extract().path("key"));
    }

    /** Asks for a key. */
    public static ValidatableResponse show(TestKey key) {
        return given().get(path(key)).then();
    }

    /** What is stored of a key: all that is shown but its usage, which moves with the time. */
    public static Map<String, Object> stored(TestKey key) {
        Map<String, Object> members =
                show(key).statusCode(200).extract().jsonPath().getMap("");
        members.remove("usage");
        return members;
    }

    /** Changes what the body names. */
    public static ValidatableResponse change(TestKey key, String body) {
        return given(body).patch(path(key)).then();
    }

    /** Asks for a new secret. */
    public static ValidatableResponse rotate(TestKey key, long graceSeconds) {
        return given("{\"graceSeconds\":" + graceSeconds + "}")
                .post(path(key) + "/rotation")
                .then();
    }

    /** Gives a key a new secret, and returns the key with it. */
    public static TestKey rotated(TestKey key, long graceSeconds) {
        return new TestKey(
                key.id(), rotate(key, graceSeconds).statusCode(201).extract().path("key"));
    }

    /** Revokes a key. */
    public static ValidatableResponse revoke(TestKey key) {
        return given().delete(path(key)).then();
    }

    /** Lifts a key's ban. */
    public static ValidatableResponse liftBan(TestKey key) {
        return given().delete(path(key) + "/ban").then();
    }

    /** Checks that an answer is the one error body, and that nobody stores it. */
    public static ValidatableResponse refused(
            ValidatableResponse answer, int status, String code, Matcher<String> message) {
        return answer.statusCode(status)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .body("size()", equalTo(3))
                .body("code", equalTo(code))
                .body("message", message)
                .body("status", equalTo(status));
    }

    /** Where a key is found. */
    public static String path(TestKey key) {
        return "/admin/keys/" + key.id();
    }
}
