package dev.animalstore.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A proxy in front of replicas, with Debian's limits: HAProxy, which also speaks HTTP/2, or nginx with the shipped site. */
public final class ProxyProcess implements AutoCloseable {
    /** What a proxy is, and whether it passes a request on only once it has received it. */
    public enum Kind {
        HAPROXY,
        NGINX,
        NGINX_UNBUFFERED
    }

    private final Kind kind;
    private final int port = Settings.freePort();
    private final int http2Port = Settings.freePort();
    private final Path folder;
    private final Process process;

    /** Starts a proxy of replicas, by their ports, and returns once it accepts connections. */
    public ProxyProcess(Kind kind, int... replicas) throws IOException {
        this.kind = kind;
        folder = Files.createDirectories(Path.of("target", "test-servers", "proxy-" + port))
                .toAbsolutePath();
        configure(replicas);
        process = new ProcessBuilder(
                        kind == Kind.HAPROXY
                                ? List.of(
                                        "haproxy", "-db", "-f", configuration().toString())
                                : List.of(
                                        "nginx",
                                        "-p",
                                        folder.toString(),
                                        "-c",
                                        configuration().toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
        Awaitility.await().ignoreExceptions().until(() -> {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return client.isConnected();
            }
        });
    }

    /** Whether the programs are on the PATH, for tests that are skipped without them. */
    public static boolean areInstalled() {
        return Stream.of("haproxy", "nginx", "curl")
                .allMatch(name -> Program.find(name).isPresent());
    }

    public int port() {
        return port;
    }

    /** The options of curl, and the address, for the newest version of HTTP that the proxy speaks without TLS. */
    public List<String> curl(String target) {
        return kind == Kind.HAPROXY
                ? List.of("--http2-prior-knowledge", "http://127.0.0.1:" + http2Port + target)
                : List.of("http://127.0.0.1:" + port + target);
    }

    /** Names other replicas to nginx, as an Ingress does by the readiness of its pods. HAProxy asks the replicas itself. */
    public void serve(int... replicas) throws IOException {
        if (kind != Kind.HAPROXY) {
            configure(replicas);
            Signals.send("HUP", process.toHandle());
        }
    }

    private Path configuration() {
        return folder.resolve("proxy.conf");
    }

    private void configure(int... replicas) throws IOException {
        Files.writeString(configuration(), kind == Kind.HAPROXY ? haproxy(replicas) : nginx(replicas));
    }

    private String haproxy(int... replicas) {
        String servers = IntStream.of(replicas)
                .mapToObj(replica -> "  server replica-%d 127.0.0.1:%1$d check inter 1s\n".formatted(replica))
                .collect(Collectors.joining());
        return """
                defaults
                  mode http
                  timeout connect 5000
                  timeout client 50000
                  timeout server 50000
                frontend clients
                  bind 127.0.0.1:%d
                  bind 127.0.0.1:%d proto h2
                  option forwardfor
                  default_backend replicas
                backend replicas
                  option httpchk GET /
                %s""".formatted(port, http2Port, servers);
    }

    /** Debian's main file around the shipped site, without TLS and without a limit of bodies. */
    private String nginx(int... replicas) throws IOException {
        String servers = IntStream.of(replicas)
                .mapToObj(replica -> "server 127.0.0.1:" + replica + ";")
                .collect(Collectors.joining("\n    "));
        String site = Files.readString(Path.of("src", "main", "debian", "nginx.conf"))
                .replaceAll("(?m)^ *(ssl_|listen \\[).*\n", "")
                .replace(
                        "listen 443 ssl http2;",
                        "listen 127.0.0.1:" + port + ";\n    client_max_body_size 0;"
                                + (kind == Kind.NGINX_UNBUFFERED ? "\n    proxy_request_buffering off;" : ""))
                .replace("server 127.0.0.1:8080 max_conns=1000;", servers);
        return """
                user root;
                daemon off;
                worker_processes auto;
                pid nginx.pid;
                error_log error.log;
                events {
                    worker_connections 768;
                }
                http {
                    sendfile on;
                    tcp_nopush on;
                    access_log off;
                    client_body_temp_path body;
                    proxy_temp_path proxy;
                    gzip on;
                    %s
                }
                """.formatted(site.replace("\n", "\n    "));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
