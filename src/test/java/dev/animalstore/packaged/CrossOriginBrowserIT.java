package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.startsWith;

import com.sun.net.httpserver.HttpServer;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Browser;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A page of another origin uses the packaged application in a real browser, and reads the API's headers. */
@Browser.Needed
class CrossOriginBrowserIT {
    /** A page with a function that returns the status and the headers that the page may read, or the browser's refusal. */
    private static final String PAGE = """
            <!DOCTYPE html>
            <meta charset="utf-8">
            <title>Client</title>
            <script>
                async function request(address, key, body) {
                    const headers = key ? { Authorization: `Bearer ${key}` } : {};
                    const options = body ? { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body } : { headers };
                    try {
                        const response = await fetch(address, options);
                        return { status: String(response.status), ...Object.fromEntries(response.headers) };
                    } catch (refusal) {
                        return { refusal: refusal.name };
                    }
                }
            </script>
            """;

    private static Browser browser;
    private static HttpServer configured;
    private static HttpServer stranger;
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        browser = Browser.start();
        configured = servePage();
        stranger = servePage();
        replica = Replica.start(Map.of("animalstore.cors.origins", origin(configured)));
    }

    @AfterAll
    static void stop() {
        browser.close();
        configured.stop(0);
        stranger.stop(0);
        replica.close();
    }

    @Test
    void page_ofAConfiguredOrigin_readsItsQuota() {
        TestKey key = TestKey.of("free");

        Map<?, ?> response = request(configured, "/v1/pets?limit=1", key, null);
        assertThat(response.get("status"), equalTo("200"));
        assertThat(response.get("x-ratelimit-limit"), equalTo("60"));
        assertThat(response.get("x-ratelimit-remaining"), equalTo("59"));
        assertThat((String) response.get("ratelimit"), startsWith("\"minute\";r=59;t=60, \"day\";r=999;t="));
        assertThat(request(configured, "/v1/pets", key, null).get("x-ratelimit-remaining"), equalTo("58"));
    }

    @Test
    void page_ofAConfiguredOrigin_readsWhenToRetry() {
        TestKey key = TestKey.of(1, 100);
        request(configured, "/v1/pets", key, null);

        Map<?, ?> response = request(configured, "/v1/pets", key, null);
        assertThat(response.get("status"), equalTo("429"));
        assertThat((String) response.get("retry-after"), matchesPattern("[1-9][0-9]?"));
        assertThat(response.get("x-ratelimit-remaining"), equalTo("0"));
    }

    @Test
    void page_ofAConfiguredOriginWithoutKey_readsHowToAuthenticate() {
        Map<?, ?> response = request(configured, "/v1/pets", null, null);

        assertThat(response.get("status"), equalTo("401"));
        assertThat(response.get("www-authenticate"), equalTo("Bearer realm=\"animal-store\""));
        assertThat(response.get("x-ratelimit-limit"), equalTo("300"));
    }

    @Test
    void page_ofAConfiguredOrigin_readsTheLocationOfItsPet() {
        Map<?, ?> response = request(configured, "/v1/pets", TestKey.of("free"), "{\"name\":\"Rex\",\"categoryId\":3}");

        assertThat(response.get("status"), equalTo("201"));
        assertThat(
                (String) response.get("location"),
                startsWith(replica.uri("/v1/pets/").toString()));
    }

    @Test
    void page_ofAnotherOrigin_isRefusedByTheBrowserAndNotCharged() {
        TestKey key = TestKey.of("free");

        assertThat(request(stranger, "/v1/pets", key, null), equalTo(Map.of("refusal", "TypeError")));
        assertThat(request(configured, "/v1/pets", key, null).get("x-ratelimit-remaining"), equalTo("59"));
    }

    private static Map<?, ?> request(HttpServer page, String path, TestKey key, String body) {
        browser.visit(URI.create(origin(page) + "/"));
        return (Map<?, ?>) browser.run(
                "request(arguments[0], arguments[1], arguments[2]).then(arguments[3])",
                replica.uri(path).toString(),
                key == null ? null : key.text(),
                body);
    }

    private static HttpServer servePage() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] page = PAGE.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String origin(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }
}
