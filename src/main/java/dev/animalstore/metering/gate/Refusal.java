package dev.animalstore.metering.gate;

import dev.animalstore.web.error.ApiError;
import dev.animalstore.web.error.ErrorCode;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.core.ServerSerialisers;
import org.jboss.resteasy.reactive.server.core.serialization.EntityWriter;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * A response that ends a request in the gate. Refusals with the same status and headers share one {@code Response}. Each writes its own
 * body, since Quarkus REST's search for a writer takes as long as the decision.
 */
final class Refusal implements EntityWriter {
    private static final Response TOO_MANY = shared(Response.status(Response.Status.TOO_MANY_REQUESTS));

    /** Nothing is refused, and nothing else is to be done: a 200 without a body. */
    static final Refusal NONE = new Refusal(shared(Response.ok()), new byte[0]);

    /** The last 429. Most requests get the same one again, since a refused client usually sends many within a second. */
    private static volatile TooMany latest = TooMany.of(ErrorCode.RATE_LIMIT_EXCEEDED, "", 1);

    private final Response response;
    private final byte[] body;

    private Refusal(Response response, byte[] body) {
        this.response = response;
        this.body = body;
    }

    private Refusal(Response response, ErrorCode code, String message) {
        this(response, new ApiError(code, message).json());
    }

    /** A 401. The challenge is the {@code WWW-Authenticate} header, which reports an invalid token only if one was sent. */
    static Refusal unauthorized(ErrorCode code, String message, String challenge) {
        Response.ResponseBuilder response = Response.status(Response.Status.UNAUTHORIZED);
        return new Refusal(shared(response.header(HttpHeaders.WWW_AUTHENTICATE, challenge)), code, message);
    }

    /** A 429. {@code why} is a sentence for the client. */
    static Refusal tooMany(ErrorCode code, String why, long retryAfterSeconds) {
        TooMany known = latest;
        if (known.seconds() != retryAfterSeconds
                || known.code() != code
                || !known.why().equals(why)) {
            known = TooMany.of(code, why, retryAfterSeconds);
            latest = known;
        }
        return known.refusal();
    }

    /** Without an entity no writer would be used. */
    private static Response shared(Response.ResponseBuilder response) {
        return response.entity("").build();
    }

    void end(ResteasyReactiveContainerRequestContext request) {
        ResteasyReactiveRequestContext context = (ResteasyReactiveRequestContext) request.getServerRequestContext();
        if (body.length > 0) {
            // Quarkus REST would parse the type of a response.
            context.serverResponse().setResponseHeader(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
        }
        context.setEntityWriter(this);
        request.abortWith(response);
    }

    @Override
    public void write(ResteasyReactiveRequestContext context, Object none) throws IOException {
        ServerSerialisers.encodeResponseHeaders(context);
        context.serverResponse().end(body);
    }

    private record TooMany(ErrorCode code, String why, long seconds, Refusal refusal) {
        static TooMany of(ErrorCode code, String why, long seconds) {
            return new TooMany(code, why, seconds, new Refusal(TOO_MANY, code, why + " Retry in " + seconds + " s."));
        }
    }
}
