package dev.animalstore.gate;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.CachedKey;
import dev.animalstore.request.Caller;
import dev.animalstore.request.Prefetch;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;

/**
 * A request on its way through the gate, which ends in one of three ways: it is admitted, refused, or has failed. What has to be waited for
 * is gone on with on the request's own event loop.
 */
final class Admission {
    private static final String NAME = Admission.class.getName();

    private final ResteasyReactiveContainerRequestContext request;
    private final RoutingContext exchange;
    private final Context context;

    private CachedKey key;
    private String outcome = "failed";
    private boolean suspended;

    Admission(ResteasyReactiveContainerRequestContext request, RoutingContext exchange) {
        this.request = request;
        this.exchange = exchange;
        this.context = exchange.vertx().getOrCreateContext();
        exchange.put(NAME, this);
    }

    /** That of an exchange, or {@code null} where it did not come through the gate. */
    static Admission of(RoutingContext exchange) {
        return exchange.get(NAME);
    }

    /** The key by which the request was judged. */
    String keyId() {
        return key == null ? "none" : Long.toString(key.id());
    }

    /** The plan of that key. */
    String plan() {
        return key == null ? "none" : key.plan();
    }

    /** How it ended, in one word. */
    String outcome() {
        return outcome;
    }

    /** The address that the request came from. */
    SocketAddress peer() {
        return exchange.request().remoteAddress();
    }

    /** The headers of the answer, whoever gives it. */
    MultiMap responseHeaders() {
        return exchange.response().headers();
    }

    /** Goes on, and fails where that throws. */
    void proceed(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException defect) {
            fail(defect);
        }
    }

    /** Goes on with a result, at once where it is there already. */
    <T> void await(Future<T> result, Consumer<T> step) {
        await(result, step, this::fail);
    }

    /** Goes on with a result, or with the reason why there is none. */
    <T> void await(Future<T> result, Consumer<T> step, Consumer<Throwable> otherwise) {
        if (result.succeeded()) {
            step.accept(result.result());
            return;
        }
        if (!suspended) {
            suspended = true;
            request.suspend();
        }
        result.onComplete(outcome -> context.runOnContext(now -> proceed(() -> {
            if (outcome.succeeded()) {
                step.accept(outcome.result());
            } else {
                otherwise.accept(outcome.cause());
            }
        })));
    }

    /** Takes note of the key by which the request is judged. */
    void identifiedBy(CachedKey known) {
        key = known;
    }

    /** Has something asked for that the resource will need, before the decision. */
    void prefetch(Prefetch prefetch) {
        prefetch.begin(exchange);
    }

    /** Lets the request pass, sent by a caller whose name is the key's identifier. Other packages learn of the key no more than that. */
    void admit() {
        outcome = "admitted";
        Caller.set(exchange, Long.toString(key.id()));
        if (suspended) {
            request.resume();
        }
    }

    /** Responds with 401. */
    void refuse(AuthorizationHeader.Refusal refusal) {
        outcome = "unauthorized";
        abort(refusal.error(), HttpHeaders.WWW_AUTHENTICATE, refusal.challenge());
    }

    /** Responds with 429. */
    void refuse(ErrorCode code, long retryAfterSeconds, String why) {
        outcome = code == ErrorCode.KEY_BANNED ? "banned" : "refused";
        String message = why + " Try again in " + retryAfterSeconds + " s.";
        abort(new ApiError(code, message), HttpHeaders.RETRY_AFTER, Long.toString(retryAfterSeconds));
    }

    /** Fails the request with the reason, taken out of what a future has put around it; the mappers of exceptions respond. */
    void fail(Throwable reason) {
        Throwable failure =
                reason instanceof CompletionException && reason.getCause() != null ? reason.getCause() : reason;
        if (!suspended) {
            suspended = true;
            request.suspend();
        }
        request.resume(failure);
    }

    private void abort(ApiError error, String header, String value) {
        request.abortWith(error.response().header(header, value).build());
    }
}
