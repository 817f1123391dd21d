package dev.animalstore;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class MetricTagsTest {
    @Test
    void requests_ofMadeUpMethodsAndPaths_areCountedTogether() {
        TestKey key = TestKey.unlimited();
        for (int i = 0; i < 200; i++) {
            RawHttp.send("MADEUP" + i, "/v1/pets", "HTTP/1.1");
            RawHttp.send("GET", "/v1/madeup" + i, "HTTP/1.1");
            RawHttp.send("PUT", "/v1/pets/madeup" + i, "{}", key);
            RawHttp.send("GET", "/madeup" + i, "HTTP/1.1");
        }

        String metrics = metrics();

        assertThat(metrics, not(containsString("MADEUP")));
        assertThat(metrics, not(containsString("madeup")));
        assertThat(
                metrics.lines()
                        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                        .count(),
                lessThan(100L));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/pets, /v1/pets",
        "GET, /v1/pets/1, /v1/pets/{petId}",
        "GET, /v1/store/orders, /v1/store/orders",
        "GET, /admin/keys, /admin/keys",
        "GET, /admin/keys/1, /admin/keys/{id}",
        "DELETE, /admin/keys/1/ban, /admin/keys/{id}/ban",
        "POST, /admin/keys/1/rotation, /admin/keys/{id}/rotation"
    })
    void requests_ofEachOperation_areCountedByTheirPath(String method, String path, String uri) {
        (path.startsWith("/v1") ? TestKey.unlimited().given() : Operator.given("{\"graceSeconds\":0}"))
                .request(method, path);

        assertThat(metrics(), containsString("uri=\"" + uri + "\""));
    }

    private static String metrics() {
        return RestAssured.get("/q/metrics").asString();
    }
}
