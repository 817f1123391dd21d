package dev.animalstore.operator.console;

import dev.animalstore.operator.SignedInFilter;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** The style sheet, the script and the icon, which are public and need no session and no database. */
@NonBlocking
@SignedInFilter.ForEverybody
@Path(AssetResource.FOLDER + "{name}")
public class AssetResource {
    static final String FOLDER = ConsolePages.ROOT + "/assets/";

    private static final Map<String, String> TYPES = Map.of(
            "style.css", "text/css;charset=UTF-8",
            "page.js", "text/javascript;charset=UTF-8",
            "icon.svg", "image/svg+xml");

    @GET
    public Response getAsset(String name) {
        if (!TYPES.containsKey(name)) {
            throw new NotFoundException();
        }
        return Response.ok(AssetResource.class.getResourceAsStream(name), TYPES.get(name))
                .build();
    }
}
