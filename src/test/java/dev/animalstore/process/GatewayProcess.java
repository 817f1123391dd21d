package dev.animalstore.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A proxy in front of another service, by its recipe of docs/gateways.md, without TLS. */
public final class GatewayProcess implements AutoCloseable {
    /** By the language of the recipe's block. */
    public enum Kind {
        NGINX,
        CADDYFILE
    }

    private final int port = Settings.freePort();
    private final Process process;

    /** Starts a proxy of a service, which asks the gate, and returns once it accepts connections. */
    public GatewayProcess(Kind kind, int gate, int service) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "test-servers", "gateway-" + port))
                .toAbsolutePath();
        String recipe = recipe(kind)
                .replace("127.0.0.1:8080", "127.0.0.1:" + gate)
                .replace("127.0.0.1:3000", "127.0.0.1:" + service);
        Path file =
                Files.writeString(folder.resolve("gateway.conf"), kind == Kind.NGINX ? nginx(recipe) : caddy(recipe));
        ProcessBuilder builder = new ProcessBuilder(
                        kind == Kind.NGINX
                                ? List.of("nginx", "-p", folder.toString(), "-c", file.toString())
                                : List.of("caddy", "run", "--config", file.toString(), "--adapter", "caddyfile"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile());
        builder.environment().put("HOME", folder.toString());
        process = builder.start();
        Awaitility.await().ignoreExceptions().until(() -> {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return client.isConnected();
            }
        });
    }

    /** Whether the programs are on the PATH, for tests that are skipped without them. */
    public static boolean areInstalled() {
        return Program.find("nginx").isPresent() && Program.find("caddy").isPresent();
    }

    public int port() {
        return port;
    }

    private static String recipe(Kind kind) throws IOException {
        String language = kind.name().toLowerCase(Locale.ROOT);
        Matcher block = Pattern.compile("(?s)\n```" + language + "\n(.*?)\n```\n")
                .matcher(Files.readString(Path.of("docs", "gateways.md")));
        if (!block.find()) {
            throw new IllegalStateException("docs/gateways.md has no block of " + language);
        }
        return block.group(1);
    }

    private String nginx(String recipe) {
        return """
                user root;
                daemon off;
                pid nginx.pid;
                error_log error.log;
                events {
                }
                http {
                    access_log off;
                    client_body_temp_path body;
                    proxy_temp_path proxy;
                %s
                }
                """.formatted(recipe.replaceAll("(?m)^ *ssl_.*\n", "")
                .replace("listen 443 ssl http2;", "listen 127.0.0.1:" + port + ";"));
    }

    private String caddy(String recipe) {
        return "{\n\tadmin off\n}\n" + recipe.replace("api.service.example", "http://127.0.0.1:" + port) + "\n";
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
