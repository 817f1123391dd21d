package dev.animalstore.contract;

import static dev.animalstore.contract.Exchanges.PET;
import static dev.animalstore.contract.Exchanges.error;
import static dev.animalstore.contract.Exchanges.get;
import static dev.animalstore.contract.Exchanges.message;
import static dev.animalstore.contract.Exchanges.response;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
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

/** Each way in which a request can differ from the document without being refused is found. */
class RequestConformanceTest {
    private static Conformance committed;

    @BeforeAll
    static void readDocument() throws IOException {
        String yaml = Files.readString(Path.of("src/main/resources/META-INF/openapi.yaml"));
        committed = new Conformance(new ApiDocument(new YAMLMapper().readTree(yaml)));
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
        Exchange exchange =
                new Exchange("POST", "/v1/pets", request, 201, response(PET, "Location: http://x/v1/pets/1"));

        assertThat(committed.faults(exchange).get(0), startsWith("not refused although " + fault));
    }

    @Test
    void request_withoutKeyAndNotRefused_isFound() {
        Exchange exchange = new Exchange("GET", "/v1/pets", message(""), 200, response("[]"));

        assertThat(committed.faults(exchange), contains("not refused although Authorization holds no bearer token"));
    }
}
