package bench;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Map;

/** Responds with a constant as JSON on the event loop. */
@Path("/bare")
public class BareResource {
    @GET
    @NonBlocking
    public Map<String, String> hello() {
        return Map.of("hello", "world");
    }
}
