package dev.animalstore;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler.CompilationTask;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client in Java that the documents offer to customers. */
class ClientExampleTest {
    private static final Pattern CLIENT = Pattern.compile("(?s)```java\n(.*?public final class (\\w+).*?)```");

    @Test
    void clientInJava_compilesWithoutWarnings(@TempDir Path classes) throws IOException {
        Matcher client = CLIENT.matcher(Files.readString(Path.of("docs", "api.md")));
        assertTrue(client.find());
        StringWriter output = new StringWriter();
        List<String> options = List.of("-Xlint:all", "-Werror", "-proc:none", "-d", classes.toString());
        CompilationTask compilation = ToolProvider.getSystemJavaCompiler()
                .getTask(output, null, null, options, null, List.of(source(client.group(2), client.group(1))));

        assertTrue(compilation.call(), output::toString);
    }

    private static JavaFileObject source(String type, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
