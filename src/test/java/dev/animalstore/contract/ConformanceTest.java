package dev.animalstore.contract;

import static dev.animalstore.contract.Exchanges.PET;
import static dev.animalstore.contract.Exchanges.error;
import static dev.animalstore.contract.Exchanges.get;
import static dev.animalstore.contract.Exchanges.message;
import static dev.animalstore.contract.Exchanges.response;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.contract.Exchange.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way in which a response can differ from the document is found. */
class ConformanceTest {
    private static Conformance committed;

    @BeforeAll
    static void readDocument() throws IOException {
        String yaml = Files.readString(Path.of("src/main/resources/META-INF/openapi.yaml"));
        committed = new Conformance(new ApiDocument(new YAMLMapper().readTree(yaml)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/pets", "/v1/pets?limit=1&status=sold", "/v1/pets?other=1"})
    void exchange_asDocumented_hasNoFault(String target) {
        assertThat(committed.faults(get(target, 200, "[" + PET + "]")), empty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    [{"id":1,"name":"Rex","categoryId":3}]                           | body/0 required property 'status' not found
                    [{"id":0,"name":"Rex","categoryId":3,"status":"sold"}]           | body/0/id must have a minimum value of 1
                    [{"id":"1","name":"Rex","categoryId":3,"status":"sold"}]         | body/0/id string found, integer expected
                    [{"id":1,"name":"R\\nx","categoryId":3,"status":"sold"}]         | body/0/name does not match the regex pattern
                    [{"id":1,"name":"Rex","categoryId":9223372036854775808,"status":"sold"}] | body/0/categoryId must have a maximum value of
                    [{"id":1,"name":"Rex","categoryId":3,"status":"lost"}]           | body/0/status does not have a value in the enumeration
                    {}                                                               | body object found, array expected
                    [                                                                | the body is no JSON
                    [] []                                                            | the body is no JSON
                    """)
    void body_ofAnotherForm_isFound(String body, String fault) {
        assertThat(committed.faults(get("/v1/pets", 200, body)).get(0), startsWith(fault));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    X-RateLimit-Limit: 0       | X-RateLimit-Limit must have a minimum value of 1
                    X-RateLimit-Limit: 1.5     | X-RateLimit-Limit number found, integer expected
                    X-RateLimit-Limit: many    | X-RateLimit-Limit string found, integer expected
                    X-RateLimit-Reset: null    | X-RateLimit-Reset null found, integer expected
                    RateLimit: "minute";r=59   | RateLimit does not match the regex pattern
                    Link: <x>; rel="prev"      | Link does not match the regex pattern
                    """)
    void header_ofAnotherForm_isFound(String header, String fault) {
        Exchange exchange = get("/v1/pets", 200, "[]", header);

        assertThat(committed.faults(exchange), contains(startsWith(fault)));
    }

    @Test
    void headers_thatAreMissing_areEachFound() {
        Exchange exchange = new Exchange(
                "GET", "/v1/pets", message("", "Authorization: Bearer x"), 401, message("", "Content-Type: text/html"));

        assertThat(
                committed.faults(exchange),
                contains(
                        "WWW-Authenticate is absent",
                        "X-RateLimit-Limit is absent",
                        "X-RateLimit-Remaining is absent",
                        "X-RateLimit-Reset is absent",
                        "RateLimit-Policy is absent",
                        "RateLimit is absent",
                        "X-Request-Id is absent",
                        "Cache-Control is absent",
                        "X-Content-Type-Options is absent",
                        "the content type is 'text/html'",
                        "the status in the body is another"));
    }

    @Test
    void header_givenTwice_isFound() {
        Exchange exchange = get("/v1/pets", 200, "[]", "Link: <a>; rel=\"next\"", "Link: <b>; rel=\"next\"");

        assertThat(committed.faults(exchange), contains("Link is there 2 times"));
    }

    @Test
    void status_thatIsNotDocumented_isFound() {
        assertThat(committed.faults(get("/v1/pets", 418, "[]")), contains("the status is not documented"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/nothing, 404, not_found",
        "PUT, /v1/pets, 405, method_not_allowed",
        "PUT, /v1/pets, 429, rate_limit_exceeded"
    })
    void exchange_withoutOperation_isAnErrorLikeAnyOther(String method, String target, int status, String code) {
        String[] headers = {"Allow: GET, HEAD, OPTIONS, POST", "Retry-After: 7"};
        String error = error(code, status);
        assertThat(
                committed.faults(new Exchange(method, target, message(""), status, response(error, headers))), empty());

        assertThat(
                committed
                        .faults(new Exchange(method, target, message(""), status, response("{}", headers)))
                        .get(0),
                equalTo("body required property 'code' not found"));
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/nothing, 200", "GET, /v1/nothing, 405", "PUT, /v1/pets, 404", "OPTIONS, /v1/nothing, 200"})
    void exchange_withoutOperationAndOfAnotherStatus_isFound(String method, String target, int status) {
        assertThat(
                committed.faults(new Exchange(method, target, message(""), status, response("[]"))),
                contains("the status is not documented"));
    }

    @Test
    void methodNotAllowed_withoutAllow_isFound() {
        Message response = response(error("method_not_allowed", 405));

        assertThat(
                committed.faults(new Exchange("PUT", "/v1/pets", message(""), 405, response)),
                contains("Allow is absent"));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/pets, 401, invalid_api_key, 400, the status in the body is another",
        "/v1/nothing, 404, pet_not_found, 404, the code is not not_found"
    })
    void error_ofAnotherStatusOrCode_isFound(String target, int status, String code, int said, String fault) {
        Message response = response(error(code, said), "WWW-Authenticate: Bearer realm=\"animal-store\"");

        assertThat(committed.faults(new Exchange("GET", target, message(""), status, response)), contains(fault));
    }

    @Test
    void head_withABody_isFound() {
        Exchange exchange =
                new Exchange("HEAD", "/v1/pets", message("", "Authorization: Bearer x"), 200, response("[]"));

        assertThat(committed.faults(exchange), contains("there is a body"));
    }
}
