package dev.animalstore.store;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.builder.ResponseBuilder;
import io.restassured.filter.Filter;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way in which a response can differ from the document fails the test that received it, without a call by the test. */
@QuarkusTest
class EveryExchangeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET     | /v1/pets    | 200 | {}    | body object found, array expected
            GET     | /v1/pets    | 200 | [     | the body is no JSON
            GET     | /v1/pets    | 200 | [] [] | the body is no JSON
            GET     | /v1/pets    | 200 | [{"id":0,"name":"Rex","categoryId":3,"status":"sold"}] | body/0/id must have a minimum value of 1
            GET     | /v1/pets    | 200 | []    | ETag is absent
            GET     | /v1/pets/1  | 200 | []    | body array found, object expected
            HEAD    | /v1/pets    | 200 | []    | there is a body
            GET     | /v1/pets    | 418 | []    | the status is not documented
            GET     | /v1/nothing | 405 | []    | the status is not documented
            PUT     | /v1/pets    | 404 | []    | the status is not documented
            OPTIONS | /v1/nothing | 200 | []    | the status is not documented
            PUT     | /v1/pets    | 405 | {}    | Allow is absent
            PUT     | /v1/pets    | 429 | {}    | body required property 'code' not found
            GET     | /v1/pets    | 401 | {"status":400} | the status in the body is another
            """)
    void statusOrBody_notAsDocumented_failsTheTest(String method, String path, int status, String body, String fault) {
        assertFails(method, path, status, fault, response -> response.setBody(body));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X-RateLimit-Limit | 0             | X-RateLimit-Limit must have a minimum value of 1
            X-RateLimit-Limit | many          | X-RateLimit-Limit string found, integer expected
            RateLimit         | "minute";r=59 | RateLimit does not match the regex pattern
            """)
    void header_ofAnotherForm_failsTheTest(String name, String value, String fault) {
        assertFails(
                "GET", "/v1/pets", 401, fault, response -> response.setHeaders(new Headers(new Header(name, value))));
    }

    @Test
    void headers_thatAreMissingOrRepeated_areEachNamed() {
        Header twice = new Header("Cache-Control", "private");
        Headers others = new Headers(new Header("Content-Type", "text/html"), twice, twice);

        assertFails("GET", "/v1/pets", 401, """
                WWW-Authenticate is absent
                  X-RateLimit-Limit is absent
                  X-RateLimit-Remaining is absent
                  X-RateLimit-Reset is absent
                  RateLimit-Policy is absent
                  RateLimit is absent
                  X-Request-Id is absent
                  Cache-Control is there 2 times
                  X-Content-Type-Options is absent
                  the content type is 'text/html'""", response -> response.setHeaders(others));
    }

    /** Replaces parts of the response to a request without a key. */
    private static void assertFails(
            String method, String path, int status, String fault, UnaryOperator<ResponseBuilder> change) {
        Filter forged = (request, expected, context) -> change.apply(new ResponseBuilder()
                        .clone(context.next(request, expected))
                        .setStatusCode(status))
                .build();
        AssertionError failure = assertThrows(
                AssertionError.class, () -> RestAssured.given().filter(forged).request(method, path));

        assertThat(
                failure.getMessage(), startsWith(method + " " + path + " was answered " + status + ", which is not"));
        assertThat(failure.getMessage(), containsString("\n  " + fault));
    }
}
