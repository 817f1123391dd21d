package dev.animalstore.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.RawHttp;
import dev.animalstore.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class HostFilterTest {
    @ParameterizedTest
    @ValueSource(strings = {"/v1/pets?limit=1", "/v1/pets/1", "/admin/keys", "/"})
    void request_thatNamesNoHost_isRefused(String target) {
        RawHttp answer = RawHttp.send("GET " + target + " HTTP/1.0\r\nAuthorization: Bearer "
                + TestKey.unlimited().text() + "\r\n\r\n");
        assertEquals(400, answer.status());
        assertEquals("application/json", answer.header("Content-Type"));
        assertEquals(
                "{\"code\":\"invalid_parameter\",\"message\":\"The Host header is missing.\",\"status\":400}",
                answer.body());
    }
}
