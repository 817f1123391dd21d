package dev.animalstore.packaged;

import com.sun.net.httpserver.HttpServer;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Replicas that several tests of this package use. The tests of one setting do not depend on the others. */
final class SharedReplicas {
    static final String ORIGIN = "https://app.example";
    static final String OTHER_ORIGIN = "https://other.example";
    private static final String ORIGINS = ORIGIN + ", https://Other.Example:443";

    /**
     * What the replica of {@link #configured()} has sent as to an OpenTelemetry collector (OTLP over HTTP), one character per byte:
     * identifiers are sent as they are, and texts in UTF-8.
     */
    static final List<String> SPANS = new CopyOnWriteArrayList<>();

    private static HttpServer collector;

    private SharedReplicas() {}

    /** A replica with every feature that is off by default. */
    static synchronized Replica configured() {
        if (collector == null) {
            try {
                collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            collector.createContext("/v1/traces", exchange -> {
                try (exchange) {
                    SPANS.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
                    exchange.sendResponseHeaders(200, -1);
                }
            });
            collector.start();
        }
        return Replica.shared(Map.ofEntries(
                Map.entry("animalstore.cors.origins", ORIGINS),
                Map.entry("animalstore.openapi.production-url", "/v1"),
                Map.entry("animalstore.proxies", "1"),
                Map.entry("quarkus.otel.sdk.disabled", "false"),
                Map.entry(
                        "quarkus.otel.exporter.otlp.endpoint",
                        "http://127.0.0.1:" + collector.getAddress().getPort()),
                Map.entry("quarkus.otel.exporter.otlp.protocol", "http/protobuf"),
                Map.entry("quarkus.otel.bsp.schedule.delay", "100ms")));
    }

    /** A replica for every origin, without a token of operators, and without the deprecated operation. */
    static Replica open() {
        return Replica.shared(Map.of(
                "animalstore.cors.origins", "*", "animalstore.admin.token", "", "animalstore.get-pet.removed", "true"));
    }
}
