package dev.animalstore.web.input;

import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.Area;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.unchecked.Unchecked;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.FormBodyHandler;
import org.jboss.resteasy.reactive.server.handlers.RequestDeserializeHandler;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/**
 * Receives the body of an operation that reads one, whatever it reads it as, before a worker thread is used: a slow client costs a connection
 * and at most 64 KiB, and times out. The body of a refused request is not received.
 */
@Singleton
public final class BodyFilter {
    /** Enough for the largest body over the slowest usable connection. */
    static final Duration TIME = Duration.ofSeconds(10);

    static final int MAXIMUM_BYTES = 64 * 1024;

    /** What an operation reads that has no {@code @Consumes}. */
    private static final List<MediaType> JSON = List.of(MediaType.APPLICATION_JSON_TYPE);

    private static final List<MediaType> FORMS =
            List.of(MediaType.APPLICATION_FORM_URLENCODED_TYPE, MediaType.MULTIPART_FORM_DATA_TYPE);

    /** {@code null} if there is nothing to wait for. */
    @ServerRequestFilter(nonBlocking = true, priority = FilterPriorities.BODY)
    public Uni<Response> receive(HttpServerRequest http, RoutingContext exchange) {
        if (Area.isOutside(exchange)) {
            return null;
        }
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        boolean isRead = false;
        FormBodyHandler form = null;
        for (ServerRestHandler handler : request.getTarget().getHandlerChain()) {
            isRead |= handler instanceof RequestDeserializeHandler || handler instanceof FormBodyHandler;
            form = handler instanceof FormBodyHandler found ? found : form;
        }
        if (!isRead) {
            return null;
        }
        String length = http.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && Long.parseLong(length) > MAXIMUM_BYTES) {
            throw tooLarge();
        }
        List<MediaType> consumed = request.getTarget().getConsumes();
        verifyType(!consumed.isEmpty() ? consumed : form == null ? JSON : FORMS, http);
        Uni<Buffer> body = receiveAll(http)
                .invoke(received -> request.setInputStream(new ByteArrayInputStream(received.getBytes())));
        return (form == null ? body : parsed(body, form, request)).replaceWith((Response) null);
    }

    /**
     * Quarkus REST would accept a pattern, an empty type and the first of several, treat a malformed one as an internal error, and ignore an
     * encoding.
     */
    private static void verifyType(List<MediaType> consumed, HttpServerRequest http) {
        List<String> encodings = http.headers().getAll(HttpHeaders.CONTENT_ENCODING);
        if (!encodings.stream().allMatch("identity"::equalsIgnoreCase)) {
            http.response().putHeader(HttpHeaders.ACCEPT_ENCODING, HttpHeaders.IDENTITY);
            throw new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must have no Content-Encoding.");
        }
        List<String> types = http.headers().getAll(HttpHeaders.CONTENT_TYPE);
        try {
            MediaType type = MediaType.valueOf(types.size() == 1 ? types.get(0) : "");
            if (!type.isWildcardSubtype() && consumed.stream().anyMatch(type::isCompatible)) {
                return;
            }
        } catch (IllegalArgumentException malformed) {
            // Refused like another type.
        }
        String accepted = consumed.stream().map(MediaType::toString).collect(Collectors.joining(", "));
        http.response().putHeader(HttpHeaders.ACCEPT, accepted);
        throw new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be " + accepted + ".");
    }

    private static Uni<Buffer> receiveAll(HttpServerRequest http) {
        if (http.isEnded()) {
            return Uni.createFrom().item(Buffer.buffer());
        }
        return Uni.createFrom()
                .<Buffer>emitter(body -> receive(http, body))
                .ifNoItem()
                .after(TIME)
                .failWith(() -> {
                    http.pause();
                    return new ApiException(
                            ErrorCode.REQUEST_TIMEOUT, "The body did not arrive within " + TIME.toSeconds() + " s.");
                });
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

    /** Parses a form from what was received, as Quarkus REST does for an operation that blocks; for another it would wait for more. */
    private static Uni<Buffer> parsed(Uni<Buffer> body, FormBodyHandler form, ResteasyReactiveRequestContext request) {
        return body.emitOn(Infrastructure.getDefaultWorkerPool())
                .invoke(Unchecked.consumer(received -> form.handle(request)))
                .onFailure(failure -> !(failure instanceof ApiException || failure instanceof WebApplicationException))
                .transform(malformed -> new ApiException(ErrorCode.BAD_REQUEST, "The form is malformed."));
    }

    private static ApiException tooLarge() {
        return new ApiException(ErrorCode.PAYLOAD_TOO_LARGE, "The body must not exceed " + MAXIMUM_BYTES + " bytes.");
    }
}
