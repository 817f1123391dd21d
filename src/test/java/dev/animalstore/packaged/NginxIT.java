package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two replicas behind nginx, which keeps its connections to them: requests without a key whose bodies are not read must not take a
 * connection from the customers behind them. Skipped if there is no nginx (Debian: {@code nginx}).
 */
class NginxIT {
    private static final String CONFIGURATION = """
            daemon off;
            worker_processes 1;
            error_log stderr;
            pid nginx.pid;
            events { worker_connections 256; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                proxy_read_timeout 3s;
                upstream service { server 127.0.0.1:%d; server 127.0.0.1:%d; keepalive 4; }
                server {
                    listen 127.0.0.1:%d;
                    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; %s }
                }
            }
            """;

    private static final List<Replica> REPLICAS = new ArrayList<>();
    private static TestKey key;

    @BeforeAll
    static void start() throws IOException {
        Assumptions.assumeTrue(hasNginx(), "nginx is installed");
        for (int i = 0; i < 2; i++) {
            REPLICAS.add(Replica.start(Map.of("animalstore.failed-authentication.per-minute", "10000")));
        }
        key = TestKey.unlimited();
    }

    @AfterAll
    static void stop() {
        REPLICAS.forEach(Replica::close);
    }

    @Test
    void customers_behindUnreadBodies_areAllServed() throws Exception {
        assertAllServed("");
    }

    /** Without buffering, bodies reach the service as they arrive, rather than as a whole. */
    @Test
    void customers_behindUnreadBodiesThatAreNotBuffered_areAllServed() throws Exception {
        assertAllServed("proxy_request_buffering off;");
    }

    private static void assertAllServed(String options) throws Exception {
        int port = Replica.freePort();
        Process nginx = nginx(port, options);
        try {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            URI pets = URI.create("http://127.0.0.1:" + port + "/v1/pets");
            Awaitility.await().ignoreExceptions().until(() -> status(client, customer(pets)) == 200);
            for (int length : new int[] {60_000, 200_000, 1_000_000}) {
                List<CompletableFuture<HttpResponse<String>>> refused = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    refused.add(client.sendAsync(
                            HttpRequest.newBuilder(pets)
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[length]))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString()));
                }
                for (int i = 0; i < 20; i++) {
                    assertEquals(200, status(client, customer(pets)), "after bodies of " + length + " bytes");
                }
                for (CompletableFuture<HttpResponse<String>> response : refused) {
                    assertEquals(401, response.join().statusCode());
                }
            }
        } finally {
            nginx.destroy();
            assertTrue(nginx.onExit().join().exitValue() >= 0);
        }
    }

    private static HttpRequest customer(URI pets) {
        return HttpRequest.newBuilder(pets)
                .header("Authorization", "Bearer " + key.text())
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    private static int status(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private static Process nginx(int port, String options) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "nginx")).toAbsolutePath();
        Files.writeString(
                folder.resolve("nginx.conf"),
                CONFIGURATION.formatted(REPLICAS.get(0).port(), REPLICAS.get(1).port(), port, options));
        return new ProcessBuilder("nginx", "-p", folder.toString(), "-c", "nginx.conf", "-e", "stderr")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.log").toFile())
                .start();
    }

    private static boolean hasNginx() throws IOException {
        try {
            return new ProcessBuilder("nginx", "-v")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .onExit()
                            .join()
                            .exitValue()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }
}
