package dev.animalstore.contract;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.builder.ResponseBuilder;
import io.restassured.filter.Filter;
import org.junit.jupiter.api.Test;

/** Responses are compared without a call by the test, and an undocumented one fails the test that received it. */
@QuarkusTest
class EveryExchangeTest {
    @Test
    void exchange_notAsDocumented_failsTheTestAndNamesEachFault() {
        Filter forged = (request, expected, context) -> new ResponseBuilder()
                .clone(context.next(request, expected))
                .setStatusCode(200)
                .setBody("[{\"id\":0}]")
                .build();

        AssertionError failure = assertThrows(
                AssertionError.class, () -> RestAssured.given().filter(forged).get("/v1/pets"));

        assertThat(failure.getMessage(), equalTo("""
                        GET /v1/pets was answered 200, which is not as the API document says:
                          ETag is absent
                          body/0 required property 'categoryId' not found
                          body/0 required property 'name' not found
                          body/0 required property 'status' not found
                          body/0/id must have a minimum value of 1"""));
    }
}
