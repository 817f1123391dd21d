package dev.animalstore.gate;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.http.Area;
import dev.animalstore.http.FilterPriorities;
import dev.animalstore.input.Caller;
import dev.animalstore.input.Prefetch;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.BearerKey.KeyHash;
import dev.animalstore.key.CachedKey;
import dev.animalstore.key.KeyCache;
import dev.animalstore.key.KeyCache.Copy;
import dev.animalstore.key.KeyConfig;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaLimiter;
import dev.animalstore.quota.Reply;
import dev.animalstore.quota.Reply.Stale;
import dev.animalstore.quota.Subject;
import dev.animalstore.quota.SubjectId;
import io.quarkus.arc.All;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * Authenticates and limits every request under {@code /v1} before it is matched to a resource, in this order: the key is well-formed (no
 * I/O), it is known and usable (memory, or one query), and it has quota left (one round trip to Redis). The result is a {@link Verdict}.
 * This is the only entry to the API. It never blocks: a request that waits for PostgreSQL or Redis is suspended.
 */
@Provider
@PreMatching
@NonBlocking
@ApplicationScoped
@Priority(FilterPriorities.GATE)
public class GateFilter implements ResteasyReactiveContainerRequestFilter {
    private static final CharSequence PRIVATE = HttpHeaders.createOptimized("private");

    private static final String TOO_MANY_FAILURES = "Too many requests without a valid API key came from this address.";
    private static final String TOO_MANY_UNKNOWN = "Too many unknown API keys are being looked up.";

    /** A key can change again while it is reloaded, but hardly ten times in a row. */
    private static final int MAXIMUM_ATTEMPTS = 10;

    private final KeyConfig config;
    private final KeyCache cache;
    private final QuotaLimiter limiter;
    private final FailedAuthenticationLimit failures;
    private final Prefetch[] prefetches;
    private final Clock clock;

    GateFilter(
            KeyConfig config,
            KeyCache cache,
            QuotaLimiter limiter,
            FailedAuthenticationLimit failures,
            @All List<Prefetch> prefetches,
            Clock clock) {
        this.config = config;
        this.cache = cache;
        this.limiter = limiter;
        this.failures = failures;
        this.prefetches = prefetches.toArray(Prefetch[]::new);
        this.clock = clock;
    }

    /** Whether a request is a preflight of CORS, which cannot carry a key. */
    static boolean isPreflight(HttpServerRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(HttpHeaders.ORIGIN)
                && request.headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
    }

    @Override
    public void filter(ResteasyReactiveContainerRequestContext request) {
        ResteasyReactiveRequestContext server = (ResteasyReactiveRequestContext) request.getServerRequestContext();
        RoutingContext exchange = server.unwrap(RoutingContext.class);
        if (Area.of(exchange) != Area.API || isPreflight(exchange.request())) {
            return;
        }
        // Shared caches must not store the response.
        exchange.response().headers().set(HttpHeaders.CACHE_CONTROL, PRIVATE);
        Future<Verdict> verdict = judge(exchange);
        if (verdict.succeeded()) {
            apply(verdict.result(), request, exchange);
            return;
        }
        request.suspend();
        Context context = exchange.vertx().getOrCreateContext();
        verdict.onComplete(decided -> context.runOnContext(ignored -> {
            try {
                if (decided.failed()) {
                    apply(Verdict.failed(failures.peek(exchange)), request, exchange);
                    request.resume(decided.cause());
                    return;
                }
                apply(decided.result(), request, exchange);
                if (decided.result().refusal() == null) {
                    request.resume();
                }
            } catch (RuntimeException defect) {
                request.resume(defect);
            }
        }));
    }

    private Future<Verdict> judge(RoutingContext exchange) {
        List<String> headers = exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        BearerKey sent = AuthorizationHeader.key(headers, config.environment()).orElse(null);
        if (sent == null) {
            return Future.succeededFuture(unauthorized(exchange, AuthorizationHeader.refusal(headers)));
        }
        Attempt first = new Attempt(exchange, sent.hash(), System.nanoTime(), limiter.epoch(), 1);
        Copy known = cache.recall(first.hash(), first.epoch());
        Copy copy = known == null ? cache.lookUp(first.hash(), first.epoch()) : known;
        return copy == null
                ? Future.succeededFuture(Verdict.refused(null, failures.peek(exchange), 1, TOO_MANY_UNKNOWN))
                : attempt(first, copy);
    }

    /** Decides by a copy of the key, once it is read, and by a newer one if it turns out to be outdated. */
    private Future<Verdict> attempt(Attempt attempt, Copy copy) {
        return copy.key().isDone() && !copy.key().isCompletedExceptionally()
                ? charge(attempt, copy)
                : Future.fromCompletionStage(
                                copy.key(), attempt.exchange().vertx().getOrCreateContext())
                        .compose(read -> charge(attempt, copy));
    }

    private Future<Verdict> charge(Attempt attempt, Copy copy) {
        RoutingContext exchange = attempt.exchange();
        CachedKey key = copy.key().join().orElse(null);
        Instant now = clock.instant();
        // Such a copy has every change that the request must obey.
        boolean fresh = copy.wasReadAfter(attempt.arrivedNanos());
        boolean usable = key != null && key.usableAt(now);
        if (!usable && (key == null || fresh || !key.mayBeUsableAt(now))) {
            return Future.succeededFuture(unauthorized(exchange, AuthorizationHeader.INVALID_KEY));
        }
        Subject subject = new Subject(
                new SubjectId(key.id(), key.created()), key.version(), new Limits(key.perMinute(), key.perDay()));
        Future<Reply> reply;
        if (usable) {
            if (attempt.number() == 1) {
                for (Prefetch prefetch : prefetches) {
                    prefetch.begin(exchange);
                }
            }
            reply = fresh ? limiter.spend(subject) : limiter.spend(subject, attempt.epoch());
        } else {
            // An operator may have moved the expiry, which must apply at once.
            reply = limiter.check(subject, attempt.epoch());
        }
        return reply.compose(decided -> decided instanceof Stale stale
                ? repeat(attempt, copy, stale)
                : Future.succeededFuture(
                        usable
                                ? Verdict.of(key, (Decision) decided)
                                : unauthorized(exchange, AuthorizationHeader.INVALID_KEY)));
    }

    private Future<Verdict> repeat(Attempt attempt, Copy outdated, Stale stale) {
        if (attempt.number() == MAXIMUM_ATTEMPTS) {
            return Future.failedFuture(
                    new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The API key is being changed. Retry later."));
        }
        Attempt next = attempt.next(limiter.epoch());
        return attempt(next, cache.renew(next.hash(), next.epoch(), outdated, stale.newest()));
    }

    private Verdict unauthorized(RoutingContext exchange, Refusal refusal) {
        Decision budget = failures.spend(exchange);
        return budget.outcome() == Outcome.ADMITTED
                ? Verdict.unauthorized(budget, refusal)
                : Verdict.refused(null, budget, budget.retryAfterSeconds(), TOO_MANY_FAILURES);
    }

    /** Adds the headers of a verdict, and ends the request if it is refused. */
    private static void apply(
            Verdict verdict, ResteasyReactiveContainerRequestContext request, RoutingContext exchange) {
        verdict.record(exchange);
        QuotaHeaders.write(verdict, exchange.response().headers());
        if (verdict.outcome() == Verdict.Outcome.ADMITTED) {
            Caller.set(exchange, verdict.keyId());
        } else if (verdict.refusal() != null) {
            verdict.refusal().end(request);
        }
    }

    /**
     * An attempt to decide on a request.
     *
     * @param hash of the secret that was sent
     * @param arrivedNanos when the request arrived, by {@link System#nanoTime}
     * @param epoch the epoch before the copy of the key was taken from memory
     * @param number from 1
     */
    private record Attempt(RoutingContext exchange, KeyHash hash, long arrivedNanos, long epoch, int number) {
        Attempt next(long newEpoch) {
            return new Attempt(exchange, hash, arrivedNanos, newEpoch, number + 1);
        }
    }
}
