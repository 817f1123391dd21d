package dev.animalstore.greeting;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestQuery;

@Path("/v1/greetings")
public class GreetingResource {
    public record Greeting(String text) {}

    @GET
    public Greeting greet(@RestQuery String name) {
        return new Greeting("Hello, " + name);
    }
}
