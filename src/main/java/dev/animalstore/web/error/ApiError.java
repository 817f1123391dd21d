package dev.animalstore.web.error;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.quarkus.logging.Log;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The body of every error: {@code Error} in the interface specification. It is registered for reflection because a {@code Response} does
 * not declare the type of its entity. The message says what to change, and shows no internals of the service.
 *
 * @param code of a {@link Code}, or a reason phrase such as {@code forbidden}
 */
@RegisterForReflection(registerFullHierarchy = true)
@JsonPropertyOrder({"code", "message", "status"})
public record ApiError(String code, String message, int status) {

    /** For what the JSON has in addition to the message. */
    private static final int ROOM = 96;

    public ApiError(Code code, String message) {
        this(code.value(), message, code.status());
    }

    /** The error of a defect, which is logged with the reference that the message shows. */
    public static ApiError ofDefect(Throwable defect, String code, int status) {
        String reference = UUID.randomUUID().toString();
        Log.errorf(defect, "Defect %s", reference);
        return new ApiError(code, "An internal error occurred. Reference: " + reference, status);
    }

    public byte[] json() {
        StringBuilder json = new StringBuilder(message.length() + ROOM);
        json.append("{\"code\":\"").append(code).append("\",\"message\":\"");
        JsonStringEncoder.getInstance().quoteAsString(message, json);
        json.append("\",\"status\":").append(status).append('}');
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Ends a response with this body, for handlers that run before Quarkus REST. */
    public void send(HttpServerResponse response) {
        response.headers().set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
        response.setStatusCode(status).end(Buffer.buffer(json()));
    }
}
