package dev.animalstore.web.openapi;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A resource is documented by its code alone. */
@QuarkusTest
class ScannedResourceTest {
    private static final String DOCUMENTED = """
            summary: Greet
            tags: [Scanned Resource]
            security: [bearerKey: []]
            parameters: [{name: name, in: query, schema: {type: string}}]
            responses:
              '200':
                description: OK
                headers:
                  X-RateLimit-Limit: {$ref: '#/components/headers/X-RateLimit-Limit'}
                  X-RateLimit-Remaining: {$ref: '#/components/headers/X-RateLimit-Remaining'}
                  X-RateLimit-Reset: {$ref: '#/components/headers/X-RateLimit-Reset'}
                  RateLimit-Policy: {$ref: '#/components/headers/RateLimit-Policy'}
                  RateLimit: {$ref: '#/components/headers/RateLimit'}
                  X-Request-Id: {$ref: '#/components/headers/X-Request-Id'}
                  Cache-Control: {$ref: '#/components/headers/Cache-Control'}
                  X-Content-Type-Options: {$ref: '#/components/headers/X-Content-Type-Options'}
                content: {application/json: {schema: {$ref: '#/components/schemas/Greeting'}}}
              '400': {$ref: '#/components/responses/InvalidParameter'}
              '401': {$ref: '#/components/responses/Unauthorized'}
              '429': {$ref: '#/components/responses/TooManyRequests'}
              '500': {$ref: '#/components/responses/InternalError'}
              '503': {$ref: '#/components/responses/ServiceUnavailable'}
              default: {$ref: '#/components/responses/Error'}
            """;

    @Test
    void operation_ofAScannedResource_hasTheKeyTheHeadersAndTheErrors() throws IOException {
        JsonNode document = new ObjectMapper()
                .readTree(RestAssured.get("/q/openapi?format=json").asByteArray());

        assertEquals(new YAMLMapper().readTree(DOCUMENTED), document.at("/paths/~1samples~1scanned/get"));
        assertEquals(
                "string",
                document.at("/components/schemas/Greeting/properties/text/type").asText());
    }

    @Test
    void responses_areAsDocumented() {
        TestKey.unlimited()
                .given()
                .get("/v1/samples/scanned?name=Ann")
                .then()
                .statusCode(200)
                .body("text", equalTo("Hello, Ann"));
        RestAssured.get("/v1/samples/scanned").then().statusCode(401);
    }
}
