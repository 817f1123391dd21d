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

/** The style, the script and the icon of the pages, at an address that changes with them, so that a browser may keep them for good. */
@Singleton
class Assets {
    private static final int VERSION_DIGITS = 12;

    private final Map<String, String> contents = new TreeMap<>();
    private final String version;

    Assets() {
        List.of("style.css", "copy.js", "icon.svg").forEach(name -> contents.put(name, read(name)));
        version = digest(contents.toString()).substring(0, VERSION_DIGITS);
    }

    /** Where they are. */
    String folder() {
        return ConsolePath.ROOT + "/assets/" + version;
    }

    /** Whether that is the version of what is here; another replica may have another during an update. */
    boolean isCurrent(String asked) {
        return version.equals(asked);
    }

    /** The content of one of them. */
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
