package dev.animalstore.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.RedisProcess;
import dev.animalstore.process.Replica;
import dev.animalstore.process.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The package on a Redis with TLS, whose certificate is signed by a CA that the service trusts. */
class RedisTlsIT {
    private static final String PASSWORD = "changeit";
    private static final Pattern SETTING = Pattern.compile("(\\S+)=(\\S+)");
    private static final Pattern REASON = Pattern.compile("Redis is unavailable \\([^)]*\\)");

    private static RedisProcess redis;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        redis = new RedisProcess("redis-with-tls");
        redis.kill();
        port = Settings.freePort();
        Path store = redis.folder().resolve("keys.p12");
        Files.deleteIfExists(store);
        certify(store, "ca", "-ext", "bc:c");
        for (String host : List.of("localhost", "other.example")) {
            certify(store, host, "-ext", "san=dns:" + host, "-signer", "ca");
        }
    }

    /** The settings for a certificate of Redis, and those of a named configuration for TLS. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "quarkus.redis.tls.trust-certificate-pem=true quarkus.redis.tls.trust-certificate-pem.certs=ca.pem",
                "quarkus.redis.tls-configuration-name=cache quarkus.tls.cache.trust-store.pem.certs=ca.pem"
                        + " quarkus.tls.cache.hostname-verification-algorithm=HTTPS"
            })
    void certificateOfAnotherHost_isRefusedUntilItIsReplaced(String trust) throws IOException {
        Map<String, String> properties = new HashMap<>(Map.of("quarkus.redis.hosts", "rediss://localhost:" + port));
        SETTING.matcher(trust.replace("ca.pem", pem("ca").toString()))
                .results()
                .forEach(setting -> properties.put(setting.group(1), setting.group(2)));
        startAs("other.example");
        try (Replica replica = Replica.start(properties)) {
            TestKey key = TestKey.unlimited();
            Awaitility.await().until(() -> replica.status(key) == 200 && replica.isDegraded());
            assertFalse(isCounted(key));
            redis.kill();
            startAs("localhost");
            Awaitility.await().until(() -> replica.status(key) == 200 && isCounted(key));
            assertEquals(
                    List.of("Redis is unavailable (No subject alternative DNS name matching localhost found.)"),
                    REASON.matcher(replica.log())
                            .results()
                            .map(MatchResult::group)
                            .toList());
        } finally {
            redis.kill();
        }
    }

    private static void startAs(String host) throws IOException {
        String file = pem(host).toString();
        redis.start(
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                file,
                "--tls-key-file",
                file,
                "--tls-ca-cert-file",
                pem("ca").toString(),
                "--tls-auth-clients",
                "no");
    }

    private static boolean isCounted(TestKey key) {
        return redis.ask(jedis -> jedis.exists(RedisState.hash(key)));
    }

    /** Makes a key and its certificate in the store, and writes both to a file. */
    private static void certify(Path store, String name, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-keyalg", "EC"));
        command.addAll(
                List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-alias", name, "-dname", "CN=" + name));
        command.addAll(List.of(options));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Files.writeString(
                pem(name),
                encode("PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded())
                        + encode("CERTIFICATE", keys.getCertificate(name).getEncoded()));
    }

    private static String encode(String type, byte[] content) {
        return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(content));
    }

    private static Path pem(String name) {
        return redis.folder().resolve(name + ".pem").toAbsolutePath();
    }
}
