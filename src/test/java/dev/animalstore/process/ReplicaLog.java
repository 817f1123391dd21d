package dev.animalstore.process;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The output so far of a process of the packaged application.
 *
 * @param output its standard output
 * @param errors its standard error
 */
public record ReplicaLog(Path output, Path errors) {
    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The log in files of a name. */
    static ReplicaLog in(Path directory, String name) {
        return new ReplicaLog(directory.resolve(name + ".log"), directory.resolve(name + ".log.err"));
    }

    /** Standard output followed by standard error. */
    public String text() throws IOException {
        return Files.readString(output) + Files.readString(errors);
    }

    /** The standard output, which in production is one JSON document per line. */
    public List<JsonNode> events() throws IOException {
        String written = Files.readString(output);
        List<JsonNode> events = new ArrayList<>();
        for (String line :
                written.substring(0, written.lastIndexOf('\n') + 1).lines().toList()) {
            events.add(STRICT.readTree(line));
        }
        return events;
    }

    /** The lines about requests, which are written after the responses. */
    public List<JsonNode> accesses() throws IOException {
        return events().stream()
                .filter(event -> event.path("loggerName").asText().equals("access"))
                .toList();
    }
}
