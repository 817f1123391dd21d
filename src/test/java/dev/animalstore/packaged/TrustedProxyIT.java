package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.Responses;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A trusted proxy that sends an invalid host or scheme: requests are refused before any other work. */
class TrustedProxyIT {
    private final Replica replica = SharedReplicas.configured();
    private final TestKey key = TestKey.unlimited();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X-Forwarded-Host | a b
            X-Forwarded-Host | a/b
            X-Forwarded-Host | user@host
            X-Forwarded-Host | ''
            X-Forwarded-Host | [12345::]
            X-Forwarded-Proto | a b
            X-Forwarded-Proto | ''
            X-Forwarded-Proto | javascript
            """)
    void forwardedAddress_thatIsMalformed_isRefusedAndNothingAdded(String header, String value) {
        List<Long> before = pets();

        post(Map.of(header, value)).statusCode(400).body("code", equalTo("bad_request"));
        assertEquals(before, pets());
        replica.given(key).header(header, value).get("/v1/pets?limit=1").then().statusCode(400);
    }

    /** Quarkus would use what it can read of the first one. */
    @ParameterizedTest
    @ValueSource(strings = {"a:65536", "http://a", "user:password@host", "[::1]:x", "a\r\nHost: b"})
    void hostHeader_thatIsMalformed_isRefused(String host) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            String head = "GET /v1/pets HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + key.text();
            RawHttp response = connection.send(head + "\r\n\r\n").read();
            assertEquals(400, response.status());
            assertEquals("close", response.header("Connection"));
            assertThat(response.body(), containsString("\"The Host header is malformed.\""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https", "HTTPS", "https ,http"})
    void forwardedAddress_thatIsWellFormed_isUsedInLinks(String scheme) {
        post(Map.of("X-Forwarded-Host", "api.example:8443", "X-Forwarded-Proto", scheme))
                .statusCode(201)
                .header("Location", startsWith("https://api.example:8443/v1/pets/"));
    }

    /** The connection's own address counts, as without the header. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X-Forwarded-For | ''
            X-Forwarded-For | ', 192.0.2.1'
            X-Forwarded-For | ':80, 192.0.2.1'
            X-Forwarded-For | '[]:80'
            X-Forwarded-For | unknown
            Forwarded | for=
            Forwarded | 'for=":80";proto=http'
            """)
    void forwardedAddressOfTheClient_thatIsMalformed_isTreatedAsNone(String header, String value) {
        int before = budget("X-Request-Id", "none");

        assertEquals(before - 1, budget(header, value));
    }

    private ValidatableResponse post(Map<String, String> headers) {
        return replica.given(key)
                .headers(headers)
                .contentType("application/json")
                .body("{\"name\":\"Forwarded\",\"categoryId\":1}")
                .post("/v1/pets")
                .then();
    }

    private int budget(String header, String value) {
        Response response = replica.given().header(header, value).get("/v1/pets?limit=1");
        assertEquals(401, response.statusCode());
        return Responses.remaining(response);
    }

    private static List<Long> pets() {
        return TestDatabase.query("select count(*) from pet where name = 'Forwarded'");
    }
}
