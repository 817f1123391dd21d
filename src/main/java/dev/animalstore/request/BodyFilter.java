package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Arrays;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;

/**
 * Receives the body of an operation that reads one, before a worker thread is used: a slow client costs a connection and at most 64 KiB,
 * and times out. The body of a refused request is not received.
 */
@ApplicationScoped
class BodyFilter {
    /** Enough for the largest body over the slowest usable connection. */
    static final Duration TIME = Duration.ofSeconds(10);

    private final Vertx vertx;

    BodyFilter(Vertx vertx) {
        this.vertx = vertx;
    }

    @ServerRequestFilter(nonBlocking = true)
    Uni<Response> receive(ContainerRequestContext request, HttpServerRequest http, SimpleResourceInfo resource) {
        // Quarkus REST parses the type later, and treats a malformed one as an internal error.
        if (Arrays.asList(resource.parameterTypes()).contains(Form.class)
                && http.headers().contains(HttpHeaders.CONTENT_TYPE)) {
            FormReader.verifyType(http.headers().getAll(HttpHeaders.CONTENT_TYPE));
        }
        boolean unwanted = http.isEnded()
                || Arrays.stream(resource.parameterTypes()).noneMatch(Received.class::isAssignableFrom)
                || !http.headers().contains(HttpHeaders.CONTENT_TYPE)
                || BodySize.isDeclaredTooLarge(http.getHeader(HttpHeaders.CONTENT_LENGTH));
        if (unwanted) {
            return Uni.createFrom().nullItem();
        }
        return Uni.createFrom()
                .<Buffer>emitter(body -> receive(http, body))
                .invoke(body -> request.setEntityStream(new ByteArrayInputStream(body.getBytes())))
                .replaceWith((Response) null);
    }

    /** Completes the body when it has ended, or is too large, which its reader detects. */
    private void receive(HttpServerRequest http, UniEmitter<? super Buffer> body) {
        Buffer received = Buffer.buffer();
        long timer = vertx.setTimer(TIME.toMillis(), ignored -> {
            http.pause();
            body.fail(new ApiException(
                    ErrorCode.REQUEST_TIMEOUT, "The body did not arrive within " + TIME.toSeconds() + " s."));
        });
        body.onTermination(() -> vertx.cancelTimer(timer));
        http.exceptionHandler(
                ignored -> body.fail(new ApiException(ErrorCode.MALFORMED_JSON, "The body is incomplete.")));
        http.endHandler(ignored -> body.complete(received));
        http.handler(chunk -> {
            received.appendBuffer(chunk);
            if (received.length() > BodySize.MAXIMUM_BYTES) {
                http.pause();
                body.complete(received);
            }
        });
        if ("100-continue".equalsIgnoreCase(http.getHeader(HttpHeaders.EXPECT))) {
            http.response().writeContinue();
        }
        http.resume();
    }
}
