package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CORS of the packaged application with two configured origins. */
class CorsFilterIT {
    private static final String ORIGIN = "https://app.example";
    private static final List<String> EXPOSED = List.of(
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit-Policy",
            "RateLimit",
            "Retry-After",
            "WWW-Authenticate",
            "Link",
            "Location",
            "Allow",
            "Deprecation",
            "Sunset",
            "ETag",
            "Idempotency-Replayed",
            "X-Request-Id");

    @AutoClose
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.start(Map.of("animalstore.cors.origins", ORIGIN + ",https://other.example"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/pets, authorization",
        "POST, /v1/pets, 'authorization, content-type, idempotency-key'",
        "GET, /v1/nothing, authorization"
    })
    void preflight_withoutKey_isServedWithoutMetering(String method, String path, String headers) {
        HttpResponse<String> response = send(preflight(ORIGIN, method, path, headers));

        assertThat(response.statusCode(), equalTo(204));
        assertThat(header(response, "Access-Control-Allow-Origin"), equalTo(ORIGIN));
        assertThat(names(response, "Access-Control-Allow-Methods"), hasItems("GET", "HEAD", "POST"));
        assertThat(
                names(response, "Access-Control-Allow-Headers"),
                hasItems("Authorization", "Content-Type", "Idempotency-Key"));
        assertThat(header(response, "Access-Control-Max-Age"), equalTo("7200"));
        assertThat(response.headers().firstValue("X-RateLimit-Limit"), equalTo(Optional.empty()));
    }

    @Test
    void preflight_costsNeitherKeyNorAddress() {
        TestKey key = TestKey.of("free");
        String budget = header(send(get(ORIGIN, "/v1/pets")), "X-RateLimit-Remaining");
        send(preflight(ORIGIN, "GET", "/v1/pets", "authorization").header("Authorization", "Bearer " + key.text()));
        send(preflight(ORIGIN, "GET", "/v1/pets", "authorization"));

        HttpResponse<String> unauthorized = send(get(ORIGIN, "/v1/pets"));
        assertThat(
                header(unauthorized, "X-RateLimit-Remaining"), equalTo(Integer.toString(Integer.parseInt(budget) - 1)));
        HttpResponse<String> listed = send(get(ORIGIN, "/v1/pets").header("Authorization", "Bearer " + key.text()));
        assertThat(header(listed, "X-RateLimit-Remaining"), equalTo("59"));
    }

    @ParameterizedTest
    @CsvSource({"/v1/pets, 200", "/v1/pets?limit=0, 400", "/v1/nothing, 404", "/v1/pets/0, 404"})
    void response_toAKey_exposesEveryHeader(String path, int status) {
        assertExposes(
                status,
                get(ORIGIN, path)
                        .header("Authorization", "Bearer " + TestKey.of("free").text()));
    }

    @Test
    void unauthorized_exposesEveryHeader() {
        assertExposes(401, get("https://other.example", "/v1/pets"));
    }

    @Test
    void methodNotAllowed_exposesEveryHeader() {
        assertExposes(
                405,
                get(ORIGIN, "/v1/pets")
                        .header("Authorization", "Bearer " + TestKey.of("free").text())
                        .method("DELETE", BodyPublishers.noBody()));
    }

    @Test
    void tooManyRequests_exposesEveryHeader() {
        String key = "Bearer " + TestKey.of(1, 1).text();
        send(get(ORIGIN, "/v1/pets").header("Authorization", key));

        assertExposes(429, get(ORIGIN, "/v1/pets").header("Authorization", key));
    }

    @Test
    void serviceUnavailable_exposesEveryHeader() {
        String key = "Bearer " + TestKey.of("free").text();

        TestDatabase.whileOrdersAre(
                TestDatabase.OUT_OF_REACH,
                () -> assertExposes(503, get(ORIGIN, "/v1/store/orders").header("Authorization", key)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "http://app.example", "https://app.example:8443", "null"})
    void otherOrigin_isServedWithoutCorsHeaders(String origin) {
        HttpResponse<String> response = send(get(origin, "/v1/pets")
                .header("Authorization", "Bearer " + TestKey.of("free").text()));

        assertThat(response.statusCode(), equalTo(200));
        assertThat(response.headers().firstValue("Access-Control-Allow-Origin"), equalTo(Optional.empty()));
        assertThat(names(response, "Vary"), hasItems("origin"));
    }

    @Test
    void preflight_ofAnotherOrigin_isNotAllowed() {
        HttpResponse<String> response = send(preflight("https://evil.example", "GET", "/v1/pets", "authorization"));

        assertThat(response.headers().firstValue("Access-Control-Allow-Origin"), equalTo(Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/health", "/admin/keys"})
    void path_outsideTheApi_hasNoCorsHeaders(String path) {
        HttpResponse<String> response = send(get(ORIGIN, path));

        assertThat(response.headers().firstValue("Access-Control-Allow-Origin"), equalTo(Optional.empty()));
    }

    private static void assertExposes(int status, HttpRequest.Builder request) {
        HttpResponse<String> response = send(request);
        assertThat(response.statusCode(), equalTo(status));
        assertThat(
                header(response, "Access-Control-Allow-Origin"),
                equalTo(request.build().headers().firstValue("Origin").orElseThrow()));
        assertThat(names(response, "Access-Control-Expose-Headers"), containsInAnyOrder(EXPOSED.toArray()));
    }

    private static HttpRequest.Builder preflight(String origin, String method, String path, String headers) {
        return get(origin, path)
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", headers);
    }

    private static HttpRequest.Builder get(String origin, String path) {
        return HttpRequest.newBuilder(replica.uri(path)).header("Origin", origin);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return replica.send(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static List<String> names(HttpResponse<String> response, String name) {
        return List.of(header(response, name).split(" *, *"));
    }
}
