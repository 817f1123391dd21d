package dev.animalstore.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class HostFilterTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a%zz", "a_[b", ":80"})
    void host_unusableInLinks_isRefused(String host) {
        RawHttp response = RawHttp.send("GET /v1/pets?limit=1 HTTP/1.1\r\nHost: " + host
                + "\r\nConnection: close\r\nAuthorization: Bearer "
                + TestKey.unlimited().text() + "\r\n\r\n");
        assertEquals(400, response.status());
        assertTrue(
                response.body().startsWith("{\"code\":\"invalid_parameter\",\"message\":\"The Host header is "),
                response::body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/pets?limit=1", "/v1/pets/1", "/admin/keys", "/"})
    void request_withoutAHost_isRefused(String target) {
        RawHttp response = RawHttp.send("GET " + target + " HTTP/1.0\r\nAuthorization: Bearer "
                + TestKey.unlimited().text() + "\r\n\r\n");
        assertEquals(400, response.status());
        assertEquals("application/json", response.header("Content-Type"));
        assertEquals(
                "{\"code\":\"invalid_parameter\",\"message\":\"The Host header is missing.\",\"status\":400}",
                response.body());
    }
}
