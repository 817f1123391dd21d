package dev.animalstore.packaged;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Receives spans as an OpenTelemetry collector does (OTLP over HTTP), and searches their bytes: identifiers are sent as they are, and texts
 * in UTF-8.
 */
final class SpanCollector implements AutoCloseable {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    SpanCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Whether a text was in any span. */
    boolean hasText(String text) {
        return received.stream().anyMatch(spans -> spans.contains(bytes(text.getBytes(StandardCharsets.UTF_8))));
    }

    /** Whether any span had an identifier of a trace or span, given in hexadecimal digits. */
    boolean hasIdentifier(String hex) {
        return received.stream()
                .anyMatch(spans -> spans.contains(bytes(HexFormat.of().parseHex(hex))));
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            received.add(bytes(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    /** Text with one character per byte. */
    private static String bytes(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
