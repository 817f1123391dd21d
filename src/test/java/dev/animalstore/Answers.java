package dev.animalstore;

import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.builder.ResponseSpecBuilder;
import io.restassured.response.Response;
import io.restassured.specification.ResponseSpecification;
import java.nio.charset.StandardCharsets;

/** What all answers of the API have in common. */
public final class Answers {
    private Answers() {}

    /** Every rate-limit header is there and of its form. */
    public static ResponseSpecification metered() {
        return new ResponseSpecBuilder()
                .expectHeader("X-RateLimit-Limit", matchesPattern("[1-9][0-9]*"))
                .expectHeader("X-RateLimit-Remaining", matchesPattern("[0-9]+"))
                .expectHeader("X-RateLimit-Reset", matchesPattern("[0-9]{10}"))
                .expectHeader("RateLimit-Policy", matchesPattern("\"minute\";q=[0-9]+;w=60, \"day\";q=[0-9]+;w=86400"))
                .expectHeader("RateLimit", matchesPattern("\"minute\";r=[0-9]+;t=[0-9]+, \"day\";r=[0-9]+;t=[0-9]+"))
                .build();
    }

    /** A metered answer whose body is the one error body: its three members in their order, and nothing of the service's inside. */
    public static ResponseSpecification error(int status, String code) {
        return new ResponseSpecBuilder()
                .addResponseSpecification(metered())
                .expectStatusCode(status)
                .expectHeader("Content-Type", "application/json")
                .expectBody("$", aMapWithSize(3))
                .expectBody("code", equalTo(code))
                .expectBody("message", matchesPattern("[A-Za-z][^\\p{Cntrl}]+"))
                .expectBody("status", equalTo(status))
                .expectBody(allOf(
                        startsWith("{\"code\":\"" + code + "\",\"message\":\""),
                        endsWith("\",\"status\":" + status + "}"),
                        not(containsString("Exception")),
                        not(containsString("java"))))
                .build();
    }

    /** The body as it was sent. */
    public static String text(Response answer) {
        return new String(answer.asByteArray(), StandardCharsets.UTF_8);
    }
}
