package dev.animalstore.web.input;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;

/**
 * Receives the body of an operation that reads one, before a worker thread is used: a slow client costs a connection and at most 64 KiB,
 * and times out. The body of a refused request is not received.
 */
@Singleton
final class BodyFilter {
    /** Enough for the largest body over the slowest usable connection. */
    static final Duration TIME = Duration.ofSeconds(10);

    static final int MAXIMUM_BYTES = 64 * 1024;

    /** {@code null} if there is nothing to wait for. */
    @ServerRequestFilter(nonBlocking = true)
    Uni<Response> receive(ContainerRequestContext request, HttpServerRequest http, SimpleResourceInfo resource) {
        MediaType type = mediaType(resource.parameterTypes());
        if (type == null) {
            return null;
        }
        String length = http.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && Long.parseLong(length) > MAXIMUM_BYTES) {
            throw tooLarge();
        }
        verifyType(type, http);
        if (http.isEnded()) {
            return null;
        }
        return Uni.createFrom()
                .<Buffer>emitter(body -> receive(http, body))
                .ifNoItem()
                .after(TIME)
                .failWith(() -> {
                    http.pause();
                    return new ApiException(
                            ErrorCode.REQUEST_TIMEOUT, "The body did not arrive within " + TIME.toSeconds() + " s.");
                })
                .invoke(body -> request.setEntityStream(new ByteArrayInputStream(body.getBytes())))
                .replaceWith((Response) null);
    }

    /** The media type of the body that parameters are read from; {@code null} if none of them is read from it. */
    static MediaType mediaType(Class<?>... parameters) {
        for (Class<?> parameter : parameters) {
            if (JsonBody.class.isAssignableFrom(parameter)) {
                return MediaType.APPLICATION_JSON_TYPE;
            }
            if (parameter == Form.class) {
                return MediaType.APPLICATION_FORM_URLENCODED_TYPE;
            }
        }
        return null;
    }

    /**
     * Quarkus REST would accept a pattern, an empty type and the first of several, treat a malformed one as an internal error, and ignore an
     * encoding.
     */
    private static void verifyType(MediaType expected, HttpServerRequest http) {
        List<String> encodings = http.headers().getAll(HttpHeaders.CONTENT_ENCODING);
        if (!encodings.stream().allMatch("identity"::equalsIgnoreCase)) {
            http.response().putHeader(HttpHeaders.ACCEPT_ENCODING, HttpHeaders.IDENTITY);
            throw new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must have no Content-Encoding.");
        }
        List<String> types = http.headers().getAll(HttpHeaders.CONTENT_TYPE);
        try {
            MediaType type = MediaType.valueOf(types.size() == 1 ? types.get(0) : "");
            if (expected.getType().equalsIgnoreCase(type.getType())
                    && expected.getSubtype().equalsIgnoreCase(type.getSubtype())) {
                return;
            }
        } catch (IllegalArgumentException malformed) {
            // Refused like another type.
        }
        http.response().putHeader(HttpHeaders.ACCEPT, expected.toString());
        throw new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be " + expected + ".");
    }

    private static void receive(HttpServerRequest http, UniEmitter<? super Buffer> body) {
        Buffer received = Buffer.buffer();
        http.exceptionHandler(
                ignored -> body.fail(new ApiException(ErrorCode.MALFORMED_JSON, "The body is incomplete.")));
        http.endHandler(ignored -> body.complete(received));
        http.handler(chunk -> {
            received.appendBuffer(chunk);
            if (received.length() > MAXIMUM_BYTES) {
                http.pause();
                body.fail(tooLarge());
            }
        });
        if (http.version() == HttpVersion.HTTP_1_1
                && "100-continue".equalsIgnoreCase(http.getHeader(HttpHeaders.EXPECT))) {
            http.response().writeContinue();
        }
        http.resume();
    }

    private static ApiException tooLarge() {
        return new ApiException(ErrorCode.PAYLOAD_TOO_LARGE, "The body must not exceed " + MAXIMUM_BYTES + " bytes.");
    }
}
