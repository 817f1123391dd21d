package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.load.Attempts;
import dev.animalstore.load.Load;
import dev.animalstore.process.ProxyProcess;
import dev.animalstore.process.ProxyProcess.Kind;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Uploads that are refused before they have been sent, through proxies that keep their connections to the service for other clients. They
 * are curl's, which ends a request once it has the response.
 */
@EnabledIf(
        value = "dev.animalstore.process.ProxyProcess#areInstalled",
        disabledReason = "haproxy, nginx or curl is not on the PATH.")
class RefusedUploadIT {
    private static final int UPLOADS = 100;
    private static final int OTHERS = 6;
    private static final Path BODY = Path.of("target", "refused-upload");

    /** Each with the status that it gets. */
    private static final List<Map.Entry<String, Integer>> TARGETS = List.of(
            Map.entry("/v1/pets", 401),
            Map.entry("/v1/pets", 413),
            Map.entry("/v1/nothing", 404),
            Map.entry("/v1/pets/%zz", 400));

    private final Replica replica = Replica.shared(Map.of());
    private final TestKey key = TestKey.unlimited();

    @BeforeAll
    static void writeBody() throws IOException {
        Files.write(BODY, new byte[10_000_000]);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void uploads_thatAreRefused_getTheirResponsesAndTakeNoneFromOthers(Kind kind) throws IOException {
        List<Integer> expected = new ArrayList<>();
        List<Integer> uploads = new ArrayList<>();
        List<Integer> lists = new ArrayList<>();
        try (ProxyProcess proxy = new ProxyProcess(kind, replica.port());
                Load others = Load.lists(OTHERS, Duration.ofMillis(5), proxy.port(), key)) {
            for (int i = 0; i < UPLOADS; i++) {
                Map.Entry<String, Integer> target = TARGETS.get(i % TARGETS.size());
                expected.add(target.getValue());
                String bearer = target.getValue() == 401 ? "none" : key.text();
                uploads.add(curl(proxy, target.getKey(), bearer, "--data-binary", "@" + BODY));
                lists.add(curl(proxy, "/v1/pets?limit=1", key.text()));
            }
            Attempts attempts = others.stop();
            assertEquals(expected, uploads);
            assertEquals(Collections.nCopies(UPLOADS, 200), lists);
            assertEquals(attempts.requests(), attempts.admitted(), attempts::toString);
        }
    }

    /** The status of the response to a new client; 0 without one. */
    private static int curl(ProxyProcess proxy, String target, String bearer, String... options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("curl", "--silent", "--max-time", "10", "--output", "/dev/null"));
        command.addAll(List.of("--write-out", "%{http_code}", "--header", "Authorization: Bearer " + bearer));
        command.addAll(List.of("--header", "Content-Type: application/json"));
        command.addAll(List.of(options));
        command.addAll(proxy.curl(target));
        Process process = new ProcessBuilder(command).start();
        return Integer.parseInt(new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    }
}
