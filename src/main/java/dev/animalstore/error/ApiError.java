package dev.animalstore.error;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * The body of every error: {@code Error} in the interface specification. It is part of responses that do not name its type, so a native
 * executable would not know that it becomes JSON.
 *
 * @param code machine-readable reason
 * @param message what a person reads; it names what to change, never the service's inside
 * @param status the HTTP status of the response, repeated
 */
@RegisterForReflection(registerFullHierarchy = true)
@JsonPropertyOrder({"code", "message", "status"})
public record ApiError(ErrorCode code, String message, int status) {
    public ApiError(ErrorCode code, String message) {
        this(code, message, code.status());
    }

    /** A response with this body, to which the caller may add headers. It is JSON even where the client asked for something else. */
    public Response.ResponseBuilder response() {
        return Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(this);
    }

    /** Ends a response with this body, for whoever answers before Quarkus REST does. */
    public void send(HttpServerResponse response) {
        response.headers().set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
        response.setStatusCode(status).end(Json.encodeToBuffer(this));
    }
}
