package dev.animalstore.web.input;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.Code;
import dev.animalstore.web.http.Caller;
import io.quarkus.arc.ArcUndeclaredThrowableException;
import io.quarkus.hibernate.orm.panache.Panache;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.transaction.RollbackException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.RedirectionException;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestForm;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.ResteasyReactiveClientProblem;
import org.jboss.resteasy.reactive.multipart.FileUpload;

/** A resource as somebody writes it who knows nothing of the engine. */
@Path("/v1/own")
public class OwnResource {
    public record Own(
            @NotBlank String name,
            @Max(9) int count,
            Boolean fresh,
            Double weight,
            @Size(max = 2) List<@Valid Part> parts) {}

    public record Part(@Size(max = 3) String name) {}

    public enum Colour {
        DARK,
        @JsonProperty("light")
        LIGHT
    }

    public record Kinds(List<@Min(1) Integer> items, LocalDate day, Colour colour, String text) {}

    public enum OwnCode implements Code {
        BOARD_CLOSED;

        @Override
        public int status() {
            return 409;
        }
    }

    /** As the REST client of Quarkus throws it. */
    public static class UpstreamException extends WebApplicationException implements ResteasyReactiveClientProblem {
        private static final long serialVersionUID = 1;

        UpstreamException() {
            super("Received: 'Forbidden' when invoking com.acme.Upstream", 403);
        }
    }

    public static class OwnException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Provider
    public static class OwnMapper implements ExceptionMapper<OwnException> {
        @Override
        public Response toResponse(OwnException exception) {
            return Response.status(418).entity("its own").build();
        }
    }

    public static class Bean {
        @NotBlank
        public String name;

        @Max(9)
        public int count;
    }

    @POST
    public Own record(@Valid Own body) {
        return body;
    }

    @PUT
    public Own replace(@Valid Own body) {
        return body;
    }

    @POST
    @Path("later")
    public Uni<Own> recordLater(@Valid Own body) {
        return Uni.createFrom().item(body);
    }

    @POST
    @Path("bean")
    public Bean bean(@Valid Bean body) {
        return body;
    }

    @POST
    @Path("list")
    public List<Part> list(List<@Valid Part> body) {
        return body;
    }

    @POST
    @Path("stream")
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    public byte[] stream(InputStream body) throws IOException {
        return body.readAllBytes();
    }

    @POST
    @Path("form")
    public String form(@RestForm String name) {
        return name;
    }

    @POST
    @Path("form-later")
    public Uni<String> formLater(@RestForm String name) {
        return Uni.createFrom().item(name);
    }

    @POST
    @Path("file")
    public String file(@RestForm FileUpload name) throws IOException {
        return Files.readString(name.uploadedFile());
    }

    @GET
    @Path("counts")
    public int count(
            @RestQuery @Max(9) @DefaultValue("1") int count,
            @RestQuery Boolean fresh,
            @RestQuery("page-size") @Max(9) Integer size,
            @QueryParam("kind") Integer kind) {
        return count;
    }

    @POST
    @Path("kinds")
    public Kinds kinds(@Valid Kinds body) {
        return body;
    }

    @GET
    @Path("caller")
    public String caller(Caller caller) {
        return caller.key() + " " + caller.plan();
    }

    @GET
    @Path("colours")
    @Produces(MediaType.APPLICATION_JSON)
    public Colour colour(@RestQuery Colour colour) {
        return colour;
    }

    @GET
    @Path("tags")
    public String tags(@RestQuery List<String> tag, @RestQuery Integer count) {
        if (count != null) {
            throw new NotFoundException(new IllegalStateException("secret"));
        }
        return String.join(" ", tag);
    }

    @GET
    @Path("texts/{text}")
    public String text(String text) {
        return Panache.getSession()
                .createNativeQuery("select cast(?1 as text)", String.class)
                .setParameter(1, text)
                .getSingleResult();
    }

    @OPTIONS
    @Path("methods")
    public String options() {
        return "";
    }

    @POST
    @Path("methods")
    public String post() {
        return "";
    }

    @Path("part")
    public PartResource part() {
        return new PartResource();
    }

    public static class PartResource {
        @GET
        @Path("name")
        public String name() {
            return "part";
        }
    }

    @GET
    @Path("sink")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void sink(@Context SseEventSink sink) {}

    @GET
    @Path("events")
    @Blocking
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public Multi<Long> events() {
        return Multi.createFrom().ticks().every(Duration.ofMillis(50));
    }

    @GET
    @Path("{id}")
    public long byId(long id) {
        return id;
    }

    @GET
    @Path("failures/{kind}")
    public String fail(String kind) {
        throw switch (kind) {
            case "403" -> new ForbiddenException();
            case "404" -> new NotFoundException("There is no such order.");
            case "406" -> new NotAcceptableException();
            case "409" -> new WebApplicationException("The order was changed.", 409);
            case "422" -> new WebApplicationException(422);
            case "303" -> new RedirectionException(303, URI.create("/v1/own/1"));
            case "closed" -> new ApiException(OwnCode.BOARD_CLOSED, "Board 99 is closed.");
            case "own" -> new OwnException();
            case "wrapped" ->
                new ArcUndeclaredThrowableException(new RollbackException().initCause(new OwnException()));
            case "upstream" -> new UpstreamException();
            case "501" -> new WebApplicationException("java.secret", 501);
            case "503" -> new ServiceUnavailableException(7L);
            default -> new IllegalStateException("secret");
        };
    }

    @GET
    @Path("statements/{kind}")
    public String state(String kind) {
        String sql = Map.of(
                        "syntax", "selekt 1",
                        "column", "select nothing from pet",
                        "table", "select 1 from nothing",
                        "null", "insert into pet (name) values (null) returning 1")
                .get(kind);
        return String.valueOf(
                Panache.getSession().createNativeQuery(sql, Object.class).getSingleResult());
    }
}
