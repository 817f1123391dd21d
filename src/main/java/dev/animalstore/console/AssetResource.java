package dev.animalstore.console;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** Serves the style sheet, the script and the icon, which are public and need no session. */
@ApplicationScoped
@Path("/console/assets")
public class AssetResource {
    private static final Map<String, String> TYPES =
            Map.of("css", "text/css;charset=UTF-8", "js", "text/javascript;charset=UTF-8", "svg", "image/svg+xml");

    private final Assets assets;

    AssetResource(Assets assets) {
        this.assets = assets;
    }

    /** Returns an asset. A request for another version gets the current content, which must not be cached. */
    @GET
    @Path("{version}/{name}")
    public Response getAsset(String version, String name) {
        String content = assets.find(name).orElseThrow(NotFoundException::new);
        return Response.ok(content)
                .type(TYPES.get(name.substring(name.lastIndexOf('.') + 1)))
                .header(
                        HttpHeaders.CACHE_CONTROL,
                        assets.isCurrent(version) ? "public, max-age=31536000, immutable" : "no-store")
                .build();
    }
}
