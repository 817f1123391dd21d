package dev.animalstore.web.input;

import dev.animalstore.web.input.OwnResource.Bean;
import dev.animalstore.web.input.OwnResource.OwnException;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;

/** A resource outside of the areas of the engine. */
@Path("/other")
public class OtherResource {
    /** Leads to any path of the service. */
    void alias(@Observes Router router) {
        router.route("/alias/*")
                .handler(exchange -> exchange.reroute(exchange.request().path().substring("/alias".length())));
    }

    @POST
    @Path("length")
    public int length(String body) {
        return body.length();
    }

    @POST
    @Path("bean")
    public Bean bean(@Valid Bean body) {
        return body;
    }

    @GET
    @Path("count")
    public String count(@RestQuery @Max(9) int count) {
        return "count " + count;
    }

    @NameBinding
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Filtered {}

    /** It may block, so Quarkus REST builds it only behind all filters of the engine. */
    @Provider
    @Filtered
    public static class Filter implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            request.getHeaders().putSingle("X-Filtered", "yes");
        }
    }

    @GET
    @Path("filtered")
    @Filtered
    public String filtered(@RestHeader("X-Filtered") String header) {
        return header;
    }

    @GET
    @Path("text")
    @Produces({MediaType.TEXT_PLAIN, MediaType.APPLICATION_JSON})
    public String text() {
        return "7";
    }

    @GET
    @Path("failures/{kind}")
    public String fail(String kind) {
        throw switch (kind) {
            case "own" -> new OwnException();
            case "404" -> new NotFoundException("There is no such order.");
            default -> new IllegalStateException("not caught");
        };
    }
}
