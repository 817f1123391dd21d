package dev.animalstore.gate;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.CachedKey;
import dev.animalstore.key.KeyCache;
import dev.animalstore.key.KeyConfig;
import dev.animalstore.key.KeyHash;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaLimiter;
import dev.animalstore.quota.Reply.Stale;
import dev.animalstore.request.Prefetch;
import dev.animalstore.request.SecurityHeaders;
import io.quarkus.arc.All;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * Authenticates and limits every request under {@code /v1} before it is matched to a resource, in this order: the key is well-formed (no
 * I/O), it is known and usable (memory, or one query that {@link GuessedKeys} limits), and it has quota left (one round trip to Redis). It
 * is the only entry to the API. It never blocks: a request that waits for PostgreSQL or Redis is suspended.
 */
@Provider
@PreMatching
@NonBlocking
@ApplicationScoped
@Priority(GateFilter.PRIORITY)
public class GateFilter implements ResteasyReactiveContainerRequestFilter {
    /** In request filters the lowest number runs first: no other filter sees an API request before. */
    static final int PRIORITY = Priorities.AUTHENTICATION;

    /** A key can change again while it is reloaded, but hardly three times in a row. */
    private static final int MAXIMUM_TRIES = 3;

    private final KeyConfig config;
    private final KeyCache cache;
    private final QuotaLimiter limiter;
    private final Refusals refusals;
    private final OutdatedCopies copies;
    private final GuessedKeys guesses;
    private final RotatedSecrets rotated;
    private final List<Prefetch> prefetches;
    private final Clock clock;

    GateFilter(
            KeyConfig config,
            KeyCache cache,
            QuotaLimiter limiter,
            Refusals refusals,
            OutdatedCopies copies,
            GuessedKeys guesses,
            RotatedSecrets rotated,
            @All List<Prefetch> prefetches,
            Clock clock) {
        this.config = config;
        this.cache = cache;
        this.limiter = limiter;
        this.refusals = refusals;
        this.copies = copies;
        this.guesses = guesses;
        this.rotated = rotated;
        this.prefetches = prefetches;
        this.clock = clock;
        limiter.onReturn(cache::doubtAll);
    }

    @Override
    public void filter(ResteasyReactiveContainerRequestContext request) {
        RoutingContext exchange =
                ((ResteasyReactiveRequestContext) request.getServerRequestContext()).unwrap(RoutingContext.class);
        if (!ApiPath.matches(exchange.normalizedPath()) || CorsFilter.isPreflight(exchange)) {
            return;
        }
        SecurityHeaders.keepPrivate(exchange.response().headers());
        AuthorizationHeader authorization = AuthorizationHeader.parse(
                exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION), config.environment());
        Admission admission = new Admission(request, exchange);
        admission.proceed(() -> authorization
                .key()
                .ifPresentOrElse(
                        key -> find(new Attempt(admission, key.hash(), 1, limiter.returns())),
                        () -> refusals.refuse(admission, authorization.refusal())));
    }

    private void find(Attempt attempt) {
        Optional<CompletableFuture<Optional<CachedKey>>> remembered = cache.recall(attempt.secret());
        if (remembered.isPresent()) {
            check(attempt, Future.fromCompletionStage(remembered.get()));
        } else {
            lookUp(attempt);
        }
    }

    /** Queries the database. Keys that may be guesses, from an address over its limit, are queried only a few at a time. */
    private void lookUp(Attempt attempt) {
        Admission admission = attempt.admission();
        if (refusals.isBudgetLeft(admission.peer()) || cache.wasFound(attempt.secret())) {
            check(attempt, lookUp(attempt.secret()));
        } else {
            guesses.lookUp(admission.peer(), () -> lookUp(attempt.secret()))
                    .ifPresentOrElse(found -> check(attempt, found), () -> refusals.postpone(admission));
        }
    }

    private Future<Optional<CachedKey>> lookUp(KeyHash secret) {
        return Future.fromCompletionStage(cache.lookUp(secret));
    }

    private void check(Attempt attempt, Future<Optional<CachedKey>> look) {
        Admission admission = attempt.admission();
        if (attempt.number() > MAXIMUM_TRIES) {
            refusals.fail(
                    admission,
                    new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The API key is being changed. Retry later."));
        } else {
            admission.await(look, found -> check(attempt, found), failure -> refusals.fail(admission, failure));
        }
    }

    private void check(Attempt attempt, Optional<CachedKey> found) {
        Instant now = clock.instant();
        if (found.isPresent() && found.get().usableAt(now)) {
            spend(attempt, found.get());
        } else if (found.isPresent() && found.get().mayBeUsableAt(now)) {
            checkForChange(attempt, found.get());
        } else {
            refusals.refuse(attempt.admission(), AuthorizationHeader.INVALID_KEY);
        }
    }

    private void spend(Attempt attempt, CachedKey known) {
        Admission admission = attempt.admission();
        admission.identifiedBy(known);
        if (attempt.number() == 1) {
            prefetches.forEach(admission::prefetch);
        }
        Limits limits = new Limits(known.perMinute(), known.perDay());
        admission.await(limiter.spend(known.id(), limits, known.version()), reply -> {
            if (reply instanceof Stale stale) {
                renew(attempt, known, stale);
            } else {
                Decision decision = (Decision) reply;
                confirm(
                        attempt,
                        known,
                        () -> apply(admission, known, decision),
                        () -> limiter.discard(known.id(), decision));
            }
        });
    }

    /** The cached key has expired, but an operator may have moved its expiry, which must apply at once. */
    private void checkForChange(Attempt attempt, CachedKey expired) {
        attempt.admission().await(limiter.findNewer(expired.id(), expired.version()), newer -> {
            if (newer.isPresent()) {
                renew(attempt, expired, newer.get());
            } else {
                confirm(
                        attempt,
                        expired,
                        () -> refusals.refuse(attempt.admission(), AuthorizationHeader.INVALID_KEY),
                        () -> {});
            }
        });
    }

    /** Reloads an outdated copy and charges the quota again with the current key. */
    private void renew(Attempt attempt, CachedKey copy, Stale stale) {
        Attempt next = attempt.next(limiter.returns());
        check(next, copies.renew(next.secret(), copy, stale));
    }

    /**
     * Ends an attempt. If Redis came back meanwhile, the copy of the key may be outdated, and is compared with the database.
     *
     * @param discard runs before another attempt, or if the comparison fails
     */
    private void confirm(Attempt attempt, CachedKey copy, Runnable end, Runnable discard) {
        if (attempt.redisReturns() == limiter.returns()) {
            end.run();
            return;
        }
        Attempt next = attempt.next(limiter.returns());
        Admission admission = attempt.admission();
        admission.await(
                lookUp(next.secret()),
                found -> {
                    if (found.equals(Optional.of(copy))) {
                        end.run();
                    } else {
                        discard.run();
                        check(next, Future.succeededFuture(found));
                    }
                },
                failure -> {
                    discard.run();
                    refusals.fail(admission, failure);
                });
    }

    private void apply(Admission admission, CachedKey key, Decision decision) {
        QuotaHeaders.write(decision, admission.responseHeaders());
        rotated.announce(key, admission.responseHeaders());
        switch (decision.outcome()) {
            case ADMITTED -> admission.admit();
            case BANNED ->
                admission.refuse(
                        ErrorCode.KEY_BANNED,
                        decision.retryAfterSeconds(),
                        "This API key is temporarily banned because it kept sending requests after exceeding its quota.");
            default -> {
                String window = decision.binding().equals(decision.day()) ? "day" : "minute";
                admission.refuse(
                        ErrorCode.RATE_LIMIT_EXCEEDED,
                        decision.retryAfterSeconds(),
                        "The per-" + window + " quota is exceeded.");
            }
        }
    }

    /**
     * One attempt to decide on a request.
     *
     * @param secret identifies the key that was sent
     * @param number counted from 1
     * @param redisReturns how often Redis had come back before the key was loaded
     */
    private record Attempt(Admission admission, KeyHash secret, int number, long redisReturns) {
        Attempt next(long returnsByNow) {
            return new Attempt(admission, secret, number + 1, returnsByNow);
        }
    }
}
