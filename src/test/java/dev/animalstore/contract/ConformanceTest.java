package dev.animalstore.contract;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.contract.Conformance.Exchange;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way in which a response can differ from the document is found. */
class ConformanceTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    /** Those of every response, and those of a list. */
    private static final List<String> HEADERS = List.of(
            "X-RateLimit-Limit: 60",
            "X-RateLimit-Remaining: 59",
            "X-RateLimit-Reset: 1795253460",
            "RateLimit-Policy: \"minute\";q=60;w=60, \"day\";q=1000;w=86400",
            "RateLimit: \"minute\";r=59;t=60, \"day\";r=999;t=43200",
            "X-Request-Id: 4d2b1f0e9c8a7b6d",
            "Cache-Control: private",
            "X-Content-Type-Options: nosniff",
            "Content-Type: application/json;charset=UTF-8",
            "ETag: \"q7aH3c1rZ0WmB5yTg2KfVw\"");

    private static Conformance committed;

    @BeforeAll
    static void readDocument() throws IOException {
        Path document = Path.of("src/main/resources/META-INF/openapi.yaml");
        committed = new Conformance(new ApiDocument(YAML.readTree(document.toFile())));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET | /v1/pets    | 200 | [{"id":1,"name":"Rex","categoryId":3,"status":"sold"}]
            GET | /v1/pets    | 400 | {"code":"invalid_parameter","message":"No.","status":400}
            GET | /v1/nothing | 404 | {"code":"not_found","message":"No.","status":404}
            PUT | /v1/pets    | 405 | {"code":"method_not_allowed","message":"No.","status":405}
            PUT | /v1/pets    | 429 | {"code":"rate_limit_exceeded","message":"No.","status":429}
            """)
    void response_asDocumented_hasNoFault(String method, String path, int status, String body) {
        assertThat(
                committed.faults(
                        exchange(method, path, status, body, "Allow: GET, HEAD, OPTIONS, POST", "Retry-After: 7")),
                empty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET     | /v1/pets    | 200 | {}    | body object found, array expected
            GET     | /v1/pets    | 200 | [     | the body is no JSON
            GET     | /v1/pets    | 200 | [] [] | the body is no JSON
            GET     | /v1/pets    | 200 | [{"id":0,"name":"Rex","categoryId":3,"status":"sold"}] | body/0/id must have a minimum value of 1
            GET     | /v1/pets/1  | 200 | []    | body array found, object expected
            HEAD    | /v1/pets    | 200 | []    | there is a body
            GET     | /v1/pets    | 418 | []    | the status is not documented
            GET     | /v1/nothing | 405 | []    | the status is not documented
            PUT     | /v1/pets    | 404 | []    | the status is not documented
            OPTIONS | /v1/nothing | 200 | []    | the status is not documented
            PUT     | /v1/pets    | 405 | {}    | Allow is absent
            PUT     | /v1/pets    | 429 | {}    | body required property 'code' not found
            GET     | /v1/pets    | 401 | {"status":400} | the status in the body is another
            GET     | /v1/nothing | 404 | {"code":"pet_not_found","message":"No.","status":404} | the code is not not_found
            """)
    void difference_isFound(String method, String path, int status, String body, String fault) {
        assertThat(committed.faults(exchange(method, path, status, body)), hasItem(startsWith(fault)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X-RateLimit-Limit: 0       | X-RateLimit-Limit must have a minimum value of 1
            X-RateLimit-Limit: many    | X-RateLimit-Limit string found, integer expected
            RateLimit: "minute";r=59   | RateLimit does not match the regex pattern
            ETag: "a"                  | ETag is there 2 times
            """)
    void header_ofAnotherForm_isFound(String header, String fault) {
        String[] headers = fault.endsWith("2 times") ? new String[] {header, header} : new String[] {header};

        assertThat(committed.faults(exchange("GET", "/v1/pets", 200, "[]", headers)), contains(startsWith(fault)));
    }

    @Test
    void headers_thatAreMissing_areEachFound() {
        Headers headers = new Headers(new Header("Content-Type", "text/html"));

        assertThat(
                committed.faults(new Exchange("GET", "/v1/pets", 401, headers, "")),
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

    /** OpenAPI 3.0 has no lists of types, so a tool that reads 3.1 as 3.0 would accept every value. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            7    | []
            -7   | []
            null | []
            many | [header string found, [integer, null] expected]
            """)
    void value_ofAListOfTypes_isCompared(String value, String faults) throws IOException {
        JsonNode schema = YAML.readTree("type: [integer, 'null']");
        ApiDocument empty = ApiDocument.parse("{\"components\":{}}");

        assertThat(empty.headerFaults("header", schema, value).toString(), equalTo(faults));
    }

    /** A response with all headers of a list; the given ones replace those of the same name. */
    private static Exchange exchange(String method, String path, int status, String body, String... headers) {
        List<Header> all = new ArrayList<>();
        Stream.of(headers).map(ConformanceTest::header).forEach(all::add);
        Headers given = new Headers(all);
        HEADERS.stream()
                .map(ConformanceTest::header)
                .filter(header -> !given.hasHeaderWithName(header.getName()))
                .forEach(all::add);
        return new Exchange(method, path, status, new Headers(all), body);
    }

    private static Header header(String line) {
        String[] parts = line.split(": ", 2);
        return new Header(parts[0], parts[1]);
    }
}
