package dev.animalstore.contract;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.contract.Exchange.Message;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way in which an exchange can differ from the document is found. */
class ConformanceTest {
    private static final String PET = "{\"id\":1,\"name\":\"Rex\",\"categoryId\":3,\"status\":\"sold\"}";
    private static final String TAG = "ETag: \"q7aH3c1rZ0WmB5yTg2KfVw\"";

    private static final List<String> METERED = List.of(
            "X-RateLimit-Limit: 60",
            "X-RateLimit-Remaining: 59",
            "X-Request-Id: 4d2b1f0e9c8a7b6d",
            "Cache-Control: private",
            "X-Content-Type-Options: nosniff",
            "X-RateLimit-Reset: 1795253460",
            "RateLimit-Policy: \"minute\";q=60;w=60, \"day\";q=1000;w=86400",
            "RateLimit: \"minute\";r=59;t=60, \"day\";r=999;t=43200");

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
    void headers_thatLack_areEachFound() {
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
        "/v1/pets?limit=0, limit must have a minimum value of 1",
        "/v1/pets?limit=x, 'limit string found, integer expected'",
        "/v1/pets?limit=1&limit=2, limit is there 2 times",
        "/v1/pets?status=lost, status does not have a value in the enumeration",
        "/v1/pets?%6Cimit=%30, limit must have a minimum value of 1"
    })
    void parameter_thatIsInvalidAndNotRefused_isFound(String target, String fault) {
        assertThat(committed.faults(get(target, 200, "[]")), contains(startsWith("not refused although " + fault)));
    }

    @Test
    void parameter_thatIsInvalidAndRefused_hasNoFault() {
        assertThat(committed.faults(get("/v1/pets?limit=0", 400, error("invalid_parameter", 400))), empty());
    }

    @Test
    void pathParameter_thatIsInvalidAndNotRefused_isFound() {
        Exchange exchange = get(
                "/v1/pets/abc",
                200,
                PET,
                "Deprecation: @1",
                "Sunset: Thu, 05 Dec 2030 00:00:00 GMT",
                "Link: <x>; rel=\"successor-version\"");

        assertThat(committed.faults(exchange), contains("not refused although petId string found, integer expected"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    application/json | {"name":"Rex"}                | body required property 'categoryId' not found
                    application/json | {"name":7,"categoryId":3}     | body/name integer found, string expected
                    application/json | {"name":"Rex","name":"Max"}   | the body is no JSON: Duplicate field 'name'
                    text/plain       | {"name":"Rex","categoryId":3} | the content type is 'text/plain'
                    """)
    void requestBody_thatIsInvalidAndNotRefused_isFound(String type, String body, String fault) {
        Message request = message(body, "Authorization: Bearer x", "Content-Type: " + type);
        Exchange exchange = new Exchange("POST", "/v1/pets", request, 201, answer(PET, "Location: http://x/v1/pets/1"));

        assertThat(committed.faults(exchange).get(0), startsWith("not refused although " + fault));
    }

    @Test
    void request_withoutKeyAndNotRefused_isFound() {
        Exchange exchange = new Exchange("GET", "/v1/pets", message(""), 200, answer("[]"));

        assertThat(committed.faults(exchange), contains("not refused although Authorization holds no bearer token"));
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
                committed.faults(new Exchange(method, target, message(""), status, answer(error, headers))), empty());

        assertThat(
                committed
                        .faults(new Exchange(method, target, message(""), status, answer("{}", headers)))
                        .get(0),
                equalTo("body required property 'code' not found"));
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/nothing, 200", "GET, /v1/nothing, 405", "PUT, /v1/pets, 404", "OPTIONS, /v1/nothing, 200"})
    void exchange_withoutOperationAndOfAnotherStatus_isFound(String method, String target, int status) {
        assertThat(
                committed.faults(new Exchange(method, target, message(""), status, answer("[]"))),
                contains("the status is not documented"));
    }

    @Test
    void methodNotAllowed_withoutAllow_isFound() {
        Message answer = answer(error("method_not_allowed", 405));

        assertThat(
                committed.faults(new Exchange("PUT", "/v1/pets", message(""), 405, answer)),
                contains("Allow is absent"));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/pets, 401, invalid_api_key, 400, the status in the body is another",
        "/v1/nothing, 404, pet_not_found, 404, the code is not not_found"
    })
    void error_thatSaysAnother_isFound(String target, int status, String code, int said, String fault) {
        Message answer = answer(error(code, said), "WWW-Authenticate: Bearer realm=\"animal-store\"");

        assertThat(committed.faults(new Exchange("GET", target, message(""), status, answer)), contains(fault));
    }

    @Test
    void head_withABody_isFound() {
        Exchange exchange = new Exchange("HEAD", "/v1/pets", message("", "Authorization: Bearer x"), 200, answer("[]"));

        assertThat(committed.faults(exchange), contains("there is a body"));
    }

    private static Exchange get(String target, int status, String body, String... headers) {
        return new Exchange("GET", target, message("", "Authorization: Bearer x"), status, answer(body, headers));
    }

    /** A metered answer of JSON, whose further headers take the place of those of the same name. */
    private static Message answer(String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        Stream.concat(METERED.stream(), Stream.of("Content-Type: application/json;charset=UTF-8", TAG))
                .filter(header -> Stream.of(headers).noneMatch(other -> other.startsWith(name(header) + ":")))
                .forEach(all::add);
        return message(body, all.toArray(String[]::new));
    }

    private static Message message(String body, String... headers) {
        return new Message(
                new Headers(Stream.of(headers)
                        .map(header -> new Header(
                                name(header), header.substring(name(header).length() + 2)))
                        .toList()),
                body);
    }

    private static String name(String header) {
        return header.substring(0, header.indexOf(':'));
    }

    private static String error(String code, int status) {
        return "{\"code\":\"" + code + "\",\"message\":\"What is wrong.\",\"status\":" + status + "}";
    }
}
