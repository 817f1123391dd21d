package dev.animalstore.web.http;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are refused before any work, although the key is valid, and the headers for browsers of those outside of {@code /v1}. */
@QuarkusTest
class RequestScreeningTest {
    private static final String MALFORMED = "The request target or the Host header is malformed.";
    private static final String TARGET = "/v1/samples?limit=1&x=";

    private final String authorization =
            "Authorization: Bearer " + TestKey.unlimited().text();

    @ParameterizedTest
    @ValueSource(strings = {"", "a%zz", "]:x[", "a:999999", "a b", "http://a", "[:]", "[]", "a|b", "é"})
    void host_unusableInLinks_isRefused(String host) {
        assertRefused(MALFORMED, RawHttp.send(request("GET", host, "Content-Length: 0")));
        assertRefused(MALFORMED, RawHttp.send(request("POST", host, "Content-Length: 0")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.example:8080", "127.0.0.1", "[::1]", "[2001:db8::1]:8080", "[::ffff:192.0.2.1]"})
    void host_usableInLinks_isServed(String host) {
        assertEquals(200, RawHttp.send(request("GET", host, "Accept: */*")).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/samples?limit=1", "/v1/samples/1", "/admin/keys"})
    void request_withoutAHost_isRefused(String target) {
        assertRefused(MALFORMED, RawHttp.send("GET " + target + " HTTP/1.0\r\n" + authorization + "\r\n\r\n"));
    }

    /** A proxy that routes by the raw path would be led elsewhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/../q/openapi", "/v1/%2e%2e/q/openapi", "/v1//../../q/openapi",
                "/v1/..%2fq/openapi", "/v1/..;/q/openapi", "/v1/.%2E/admin/keys",
                "/v1/..%5cadmin/keys", "/./v1/samples", "/v1/samples/.",
                "/v1/samples/%2e", "/..", "http://localhost/v1/../q/openapi"
            })
    void target_withADotSegment_isRefused(String target) {
        RawHttp response = RawHttp.send("GET", target, "HTTP/1.1", authorization);

        assertRefused("The request target must not have a dot segment.", response);
        assertEquals("", response.header("X-RateLimit-Limit"));
    }

    @ParameterizedTest
    @CsvSource({"/v1/samples?x=/../, 200", "/q/swagger-ui/swagger-ui-bundle.js, 200", "/v1/..a/.b, 404"})
    void target_withOtherDots_isRouted(String target, int status) {
        assertEquals(
                status, RawHttp.send("GET", target, "HTTP/1.1", authorization).status());
    }

    @Test
    void path_thatDoesNotBeginWithASlash_isNotFound() {
        RawHttp response = RawHttp.send("GET", "v1/samples", "HTTP/1.1");

        assertEquals(404, response.status());
        assertEquals("{\"code\":\"not_found\",\"message\":\"No such path.\",\"status\":404}", response.body());
        assertEquals("nosniff", response.header("X-Content-Type-Options"));
        assertNotEquals("", response.header("X-Request-Id"));
    }

    @Test
    void failure_outsideOfResources_hasTheErrorBodyAndItsReference() {
        RawHttp response = RawHttp.send("GET", "/admin/failing", "HTTP/1.1", "X-Request-Id: req-500");

        assertEquals(500, response.status());
        assertTrue(
                response.body()
                        .matches(
                                "\\{\"code\":\"internal_error\",\"message\":\"An internal error occurred. Reference: [0-9a-f-]{36}\",\"status\":500}"),
                response::body);
        assertEquals("application/json", response.header("Content-Type"));
        assertEquals("req-500", response.header("X-Request-Id"));
    }

    @Singleton
    static final class FailingRoute {
        void serve(@Observes Router router) {
            router.route("/admin/failing").handler(exchange -> {
                throw new IllegalStateException("not for clients");
            });
        }
    }

    /** A shared cache would keep them for everybody. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/samples", "/v1/nothing", "/v1/../x", "/admin/keys", "v1"})
    void response_ofAnyKind_isKeptByNoSharedCache(String target) {
        String control = RawHttp.send("GET", target, "HTTP/1.1").header("Cache-Control");

        assertTrue(control.matches("private|no-store"), control);
    }

    @Test
    void head_upToTheServersMaximum_isServed() {
        assertEquals(200, statusOf(8_000 - TARGET.length(), 0));
        assertEquals(414, statusOf(8_200 - TARGET.length(), 0));
        assertEquals(200, statusOf(0, 15_900));
        assertEquals(431, statusOf(0, 16_700));
    }

    @ParameterizedTest
    @CsvSource({"/admin/keys, 401", "/q/openapi, 200", "/q/swagger-ui/, 200"})
    void response_outsideTheApi_forbidsSniffing(String path, int status) {
        RestAssured.get(path).then().statusCode(status).header("X-Content-Type-Options", "nosniff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/samples", "/q/openapi", "/admin/keys", "/v1/../x"})
    void response_ofAnyKind_isDated(String path) {
        String date = RawHttp.send("GET", path, "HTTP/1.1").header("Date");

        Instant dated = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
        assertThat(Duration.between(dated, Instant.now()).abs(), lessThan(Duration.ofMinutes(1)));
    }

    /** {@code CorsFilterIT} configures some. */
    @ParameterizedTest
    @CsvSource({"GET, true, 200", "GET, false, 401", "OPTIONS, false, 200"})
    void response_withoutConfiguredOrigins_hasNoCorsHeaders(String method, boolean withKey, int status) {
        RequestSpecification request = withKey ? TestKey.unlimited().given() : RestAssured.given();

        request.headers("Origin", "https://app.example", "Access-Control-Request-Method", "GET")
                .request(method, "/v1/samples")
                .then()
                .statusCode(status)
                .header("Access-Control-Allow-Origin", nullValue())
                .header("Access-Control-Allow-Headers", nullValue())
                .header("Access-Control-Expose-Headers", nullValue());
    }

    private int statusOf(int query, int header) {
        String target = TARGET + "a".repeat(query);
        return RawHttp.send("GET", target, "HTTP/1.1", authorization, "X-Large: " + "a".repeat(header))
                .status();
    }

    private String request(String method, String host, String header) {
        return method + " /v1/samples HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + authorization + "\r\n"
                + header + "\r\n\r\n";
    }

    private static void assertRefused(String message, RawHttp response) {
        assertEquals(400, response.status());
        assertEquals("application/json", response.header("Content-Type"));
        assertTrue(response.body().startsWith("{\"code\":\"bad_request\",\"message\":\"" + message), response::body);
    }
}
