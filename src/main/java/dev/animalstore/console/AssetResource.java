package dev.animalstore.console;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The style sheet, the script and the icon, which are public and need no session. Their address contains a hash of their content, so
 * browsers may cache them permanently.
 */
@Singleton
@Path("/console/assets")
public class AssetResource {
    private static final Map<String, String> TYPES = Map.of(
            "style.css", "text/css;charset=UTF-8",
            "copy.js", "text/javascript;charset=UTF-8",
            "icon.svg", "image/svg+xml");

    private final Map<String, String> contents = new TreeMap<>();
    private final String version;

    AssetResource() {
        TYPES.keySet().forEach(name -> contents.put(name, read(name)));
        version = UUID.nameUUIDFromBytes(contents.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** The folder of the current assets. */
    String folder() {
        return ConsolePages.ROOT + "/assets/" + version;
    }

    /**
     * Returns an asset. A request for another version, of a replica before or after an update, gets the content of this one, which must not
     * be cached.
     */
    @GET
    @Path("{version}/{name}")
    public Response getAsset(String version, String name) {
        if (!contents.containsKey(name)) {
            throw new NotFoundException();
        }
        boolean current = this.version.equals(version);
        return Response.ok(contents.get(name))
                .type(TYPES.get(name))
                .header(HttpHeaders.CACHE_CONTROL, current ? "public, max-age=31536000, immutable" : "no-store")
                .build();
    }

    private static String read(String name) {
        try (InputStream file = AssetResource.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
