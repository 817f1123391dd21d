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
import dev.animalstore.key.KeyConfig;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaLimiter;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * Authenticates and limits every request under {@code /v1} before it is matched to a resource, in this order: the key is well-formed (no
 * I/O), it is known and usable (memory, or one query that {@link GuessedKeys} limits), and it has quota left (one round trip to Redis). The
 * result is a {@link Verdict}. This is the only entry to the API. It never blocks: a request that waits for PostgreSQL or Redis is
 * suspended.
 */
@Provider
@PreMatching
@NonBlocking
@ApplicationScoped
@Priority(FilterPriorities.GATE)
public class GateFilter implements ResteasyReactiveContainerRequestFilter {
    private static final CharSequence PRIVATE = HttpHeaders.createOptimized("private");

    private static final String TOO_MANY_FAILURES = "Too many requests without a valid API key came from this address";

    /** A key can change again while it is reloaded, but hardly ten times in a row. */
    private static final int MAXIMUM_TRIES = 10;

    private final KeyConfig config;
    private final KeyCache cache;
    private final QuotaLimiter limiter;
    private final FailedAuthenticationLimit failures;
    private final GuessedKeys guesses;
    private final Prefetch[] prefetches;
    private final Clock clock;

    GateFilter(
            KeyConfig config,
            KeyCache cache,
            QuotaLimiter limiter,
            FailedAuthenticationLimit failures,
            GuessedKeys guesses,
            @All List<Prefetch> prefetches,
            Clock clock) {
        this.config = config;
        this.cache = cache;
        this.limiter = limiter;
        this.failures = failures;
        this.guesses = guesses;
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
        long epoch = limiter.epoch();
        CompletableFuture<Optional<CachedKey>> known = cache.recall(sent.hash(), epoch);
        return known == null
                ? lookUp(new Attempt(exchange, sent.hash(), 1, true, epoch))
                : decide(new Attempt(exchange, sent.hash(), 1, false, epoch), known);
    }

    /** Queries the database. Keys that may be guesses, from an address over its limit, are queried only a few at a time. */
    private Future<Verdict> lookUp(Attempt attempt) {
        RoutingContext exchange = attempt.exchange();
        Supplier<Future<Verdict>> query = () -> decide(attempt, cache.lookUp(attempt.hash(), limiter.epoch()));
        Decision budget = failures.peek(exchange);
        if (cache.wasFound(attempt.hash()) || budget.outcome() == Outcome.ADMITTED) {
            return query.get();
        }
        // The key may be valid, so a retry is useful long before the address's limit resets.
        return guesses.lookUp(query)
                .orElseGet(() -> Future.succeededFuture(
                        Verdict.refused(null, budget, 1, TOO_MANY_FAILURES + ", and other keys are being looked up.")));
    }

    private Future<Verdict> decide(Attempt attempt, CompletableFuture<Optional<CachedKey>> key) {
        return key.isDone() && !key.isCompletedExceptionally()
                ? charge(attempt, key.join().orElse(null))
                : Future.fromCompletionStage(key, attempt.exchange().vertx().getOrCreateContext())
                        .compose(found -> charge(attempt, found.orElse(null)));
    }

    private Future<Verdict> charge(Attempt attempt, CachedKey key) {
        Instant now = clock.instant();
        if (key == null || !key.mayBeUsableAt(now)) {
            return Future.succeededFuture(unauthorized(attempt.exchange(), AuthorizationHeader.INVALID_KEY));
        }
        Subject subject = new Subject(
                new SubjectId(key.id(), key.created()), key.version(), new Limits(key.perMinute(), key.perDay()));
        if (!key.usableAt(now)) {
            if (attempt.fresh()) {
                return Future.succeededFuture(unauthorized(attempt.exchange(), AuthorizationHeader.INVALID_KEY));
            }
            // An operator may have moved the expiry, which must apply at once.
            return limiter.check(subject, attempt.epoch())
                    .compose(reply -> reply instanceof Stale stale
                            ? renew(attempt, key, stale)
                            : Future.succeededFuture(
                                    unauthorized(attempt.exchange(), AuthorizationHeader.INVALID_KEY)));
        }
        if (attempt.number() == 1) {
            for (Prefetch prefetch : prefetches) {
                prefetch.begin(attempt.exchange());
            }
        }
        return (attempt.fresh() ? limiter.spend(subject) : limiter.spend(subject, attempt.epoch()))
                .compose(reply -> reply instanceof Stale stale
                        ? renew(attempt, key, stale)
                        : Future.succeededFuture(Verdict.of(key, (Decision) reply)));
    }

    /** Reloads a copy that may be outdated, and decides by the current key. */
    private Future<Verdict> renew(Attempt attempt, CachedKey copy, Stale stale) {
        if (attempt.number() == MAXIMUM_TRIES) {
            return Future.failedFuture(
                    new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The API key is being changed. Retry later."));
        }
        Attempt next = new Attempt(attempt.exchange(), attempt.hash(), attempt.number() + 1, true, limiter.epoch());
        return decide(next, cache.renew(next.hash(), next.epoch(), copy, stale.newest()));
    }

    private Verdict unauthorized(RoutingContext exchange, Refusal refusal) {
        Decision budget = failures.spend(exchange);
        return budget.outcome() == Outcome.ADMITTED
                ? Verdict.unauthorized(budget, refusal)
                : Verdict.refused(null, budget, budget.retryAfterSeconds(), TOO_MANY_FAILURES + ".");
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
     * One attempt, numbered from 1, to decide on a request with a secret of that hash.
     *
     * @param fresh whether the copy of the key is read after the request has arrived
     * @param epoch the epoch before the copy was taken from memory, unless it is fresh
     */
    private record Attempt(RoutingContext exchange, KeyHash hash, int number, boolean fresh, long epoch) {}
}
