package dev.animalstore.web.openapi;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestQuery;

/** A resource of which the document has no line. */
@Path("/v1/samples/scanned")
public class ScannedResource {
    public record Greeting(String text) {}

    @GET
    public Greeting greet(@RestQuery String name) {
        return new Greeting("Hello, " + name);
    }
}
