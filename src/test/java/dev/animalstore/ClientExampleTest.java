package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client in Java that the documents offer to customers. */
class ClientExampleTest {
    private static final Pattern CLIENT = Pattern.compile("(?s)```java\n(.*?public final class (\\w+).*?)```");

    @Test
    void clientInJava_compilesWithoutWarnings(@TempDir Path folder) throws IOException {
        Matcher client = CLIENT.matcher(Files.readString(Path.of("docs", "api.md")));
        assertTrue(client.find());
        Path source = Files.writeString(folder.resolve(client.group(2) + ".java"), client.group(1));
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        String[] arguments = {"-Xlint:all", "-Werror", "-proc:none", "-cp", folder.toString(), source.toString()};

        int status = ToolProvider.getSystemJavaCompiler().run(null, output, output, arguments);
        assertEquals(0, status, output::toString);
    }
}
