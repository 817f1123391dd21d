package dev.animalstore.console;

import dev.animalstore.admin.ConsolePath;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The style sheet, the script and the icon of the pages. Their address contains a hash of their content, so browsers may cache them
 * permanently.
 */
@Singleton
class Assets {
    private static final int VERSION_DIGITS = 12;

    private final Map<String, String> contents = new TreeMap<>();
    private final String version;

    Assets() {
        List.of("style.css", "copy.js", "icon.svg").forEach(name -> contents.put(name, read(name)));
        version = digest(contents.toString()).substring(0, VERSION_DIGITS);
    }

    /** The folder of the assets. */
    String folder() {
        return ConsolePath.ROOT + "/assets/" + version;
    }

    /** Whether that is the current version; another replica may have another one during an update. */
    boolean isCurrent(String requested) {
        return version.equals(requested);
    }

    /** The content of an asset. */
    Optional<String> find(String name) {
        return Optional.ofNullable(contents.get(name));
    }

    private static String read(String name) {
        try (InputStream file = Assets.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
