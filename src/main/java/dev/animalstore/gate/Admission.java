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
 * A request that passes the gate. It ends in one of three ways: admitted, refused or failed. Asynchronous steps resume on the request's own
 * event loop.
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

    /** The admission of an exchange, or {@code null} if it did not pass the gate. */
    static Admission of(RoutingContext exchange) {
        return exchange.get(NAME);
    }

    /** The identifier of the request's key. */
    String keyId() {
        return key == null ? "none" : Long.toString(key.id());
    }

    /** The plan of that key. */
    String plan() {
        return key == null ? "none" : key.plan();
    }

    /** The outcome, in one word. */
    String outcome() {
        return outcome;
    }

    /** The address that the request came from. */
    SocketAddress peer() {
        return exchange.request().remoteAddress();
    }

    /** The headers of the response, whatever writes it. */
    MultiMap responseHeaders() {
        return exchange.response().headers();
    }

    /** Runs a step, and fails the request if the step throws. */
    void proceed(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException defect) {
            fail(defect);
        }
    }

    /** Runs a step with a result, at once if it is available. */
    <T> void await(Future<T> result, Consumer<T> step) {
        await(result, step, this::fail);
    }

    /** Runs a step with a result, or another one with its failure. */
    <T> void await(Future<T> result, Consumer<T> step, Consumer<Throwable> otherwise) {
        if (result.succeeded()) {
            step.accept(result.result());
            return;
        }
        if (!suspended) {
            suspended = true;
            request.suspend();
        }
        result.onComplete(outcome -> context.runOnContext(ignored -> proceed(() -> {
            if (outcome.succeeded()) {
                step.accept(outcome.result());
            } else {
                otherwise.accept(outcome.cause());
            }
        })));
    }

    /** Records the request's key. */
    void identifiedBy(CachedKey known) {
        key = known;
    }

    /** Starts loading what the resource will need, before the decision. */
    void prefetch(Prefetch prefetch) {
        prefetch.begin(exchange);
    }

    /** Admits the request, with the key's identifier as its caller. Other packages learn no more of the key. */
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
        String message = why + " Retry in " + retryAfterSeconds + " s.";
        abort(new ApiError(code, message), HttpHeaders.RETRY_AFTER, Long.toString(retryAfterSeconds));
    }

    /** Fails the request with the cause, unwrapped from its {@code CompletionException}; the exception mappers respond. */
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
