package dev.animalstore.request;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class BodyFilterTest {
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":3}";

    @Test
    void body_thatStops_timesOutAndClosesTheConnection() {
        RawHttp response = RawHttp.send(head("Content-Length: 1000") + PET);

        assertThat(response.status(), equalTo(408));
        assertThat(
                response.body(),
                equalTo(
                        "{\"code\":\"request_timeout\",\"message\":\"The body did not arrive within 10 s.\",\"status\":408}"));
        assertThat(response.header("Connection"), equalTo("close"));
        assertThat(response.header("RateLimit"), matchesPattern("\"minute\";r=[0-9]+;t=[0-9]+, \"day\";.*"));
    }

    /** The HTTP server closes the connection, since it cannot tell where the next request begins. */
    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", "-1\r\n", "ffffffffffffffffff\r\n"})
    void body_inBrokenChunks_getsNoResponse(String chunks) {
        RawHttp response = RawHttp.send(head("Transfer-Encoding: chunked") + chunks + PET + "\r\n0\r\n\r\n");

        assertThat(response.status(), equalTo(0));
    }

    @Test
    void body_withAnExpectation_isRequestedAndRead() {
        RawHttp response = RawHttp.send(
                head("Connection: close\r\nExpect: 100-continue\r\nContent-Length: " + PET.length()) + PET);

        assertThat(response.status(), equalTo(100));
        assertThat(response.body(), startsWith("HTTP/1.1 201 Created"));
    }

    private static String head(String headers) {
        return "POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + TestKey.unlimited().text() + "\r\nContent-Type: application/json\r\n" + headers + "\r\n\r\n";
    }
}
