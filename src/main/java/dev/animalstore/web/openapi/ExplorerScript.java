package dev.animalstore.web.openapi;

import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.InputStream;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** The script of Swagger UI. For a static resource, Quarkus would compare the path of every request with those of all such resources. */
@RegisterForReflection
@Path("/explorer-enabled.js")
public class ExplorerScript {
    @GET
    @Operation(hidden = true)
    @Produces("text/javascript;charset=UTF-8")
    public InputStream getScript() {
        return ExplorerScript.class.getResourceAsStream("explorer-enabled.js");
    }
}
