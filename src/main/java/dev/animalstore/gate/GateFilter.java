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
 * Decides on every request under {@code /v1}, before it is matched to a resource, in this order: is there a well-formed key (no I/O), is it
 * known and usable (memory, or one query, which {@link GuessedKeys} ration), has it quota left (one round trip to Redis). It is the only
 * door to the API. It never blocks: a request that waits for PostgreSQL or Redis is suspended.
 */
@Provider
@PreMatching
@NonBlocking
@ApplicationScoped
@Priority(GateFilter.PRIORITY)
public class GateFilter implements ResteasyReactiveContainerRequestFilter {
    /** Among request filters the lowest number runs first: no other filter sees a request of the API before. */
    static final int PRIORITY = Priorities.AUTHENTICATION;

    /** A key can be changed again while it is read again, though hardly three times in a row. */
    private static final int MAXIMUM_TRIES = 3;

    private final KeyConfig config;
    private final KeyCache directory;
    private final QuotaLimiter meter;
    private final Refusals refusals;
    private final OutdatedCopies copies;
    private final GuessedKeys guesses;
    private final RotatedSecrets rotated;
    private final List<Prefetch> prefetches;
    private final Clock clock;

    GateFilter(
            KeyConfig config,
            KeyCache directory,
            QuotaLimiter meter,
            Refusals refusals,
            OutdatedCopies copies,
            GuessedKeys guesses,
            RotatedSecrets rotated,
            @All List<Prefetch> prefetches,
            Clock clock) {
        this.config = config;
        this.directory = directory;
        this.meter = meter;
        this.refusals = refusals;
        this.copies = copies;
        this.guesses = guesses;
        this.rotated = rotated;
        this.prefetches = prefetches;
        this.clock = clock;
        meter.onReturn(directory::doubtAll);
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
                        key -> find(new Attempt(admission, key.hash(), 1, meter.returns())),
                        () -> refusals.refuse(admission, authorization.refusal())));
    }

    private void find(Attempt attempt) {
        Optional<CompletableFuture<Optional<CachedKey>>> remembered = directory.recall(attempt.secret());
        if (remembered.isPresent()) {
            check(attempt, Future.fromCompletionStage(remembered.get()));
        } else {
            lookUp(attempt);
        }
    }

    /** Asks the database, but for a key that may be guessed by an address that has spent its budget only if few are asked for already. */
    private void lookUp(Attempt attempt) {
        Admission admission = attempt.admission();
        if (refusals.isBudgetLeft(admission.peer()) || directory.wasFound(attempt.secret())) {
            check(attempt, lookUp(attempt.secret()));
        } else {
            guesses.lookUp(admission.peer(), () -> lookUp(attempt.secret()))
                    .ifPresentOrElse(found -> check(attempt, found), () -> refusals.postpone(admission));
        }
    }

    private Future<Optional<CachedKey>> lookUp(KeyHash secret) {
        return Future.fromCompletionStage(directory.lookUp(secret));
    }

    private void check(Attempt attempt, Future<Optional<CachedKey>> look) {
        Admission admission = attempt.admission();
        if (attempt.number() > MAXIMUM_TRIES) {
            refusals.fail(
                    admission,
                    new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The API key is being changed. Try again."));
        } else {
            admission.await(look, found -> check(attempt, found), failure -> refusals.fail(admission, failure));
        }
    }

    private void check(Attempt attempt, Optional<CachedKey> found) {
        Instant now = clock.instant();
        if (found.isPresent() && found.get().usableAt(now)) {
            spend(attempt, found.get());
        } else if (found.isPresent() && found.get().mayBeUsableAt(now)) {
            askForChange(attempt, found.get());
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
        admission.await(meter.spend(known.id(), limits, known.version()), reply -> {
            if (reply instanceof Stale stale) {
                renew(attempt, known, stale);
            } else {
                Decision decision = (Decision) reply;
                confirm(
                        attempt,
                        known,
                        () -> apply(admission, known, decision),
                        () -> meter.discard(known.id(), decision));
            }
        });
    }

    /** The key has expired as far as is known here; an operator may have moved its end, which must hold at once. */
    private void askForChange(Attempt attempt, CachedKey expired) {
        attempt.admission().await(meter.findNewer(expired.id(), expired.version()), newer -> {
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

    /** Renews a copy that is outdated, and asks the quota with what the key is now. */
    private void renew(Attempt attempt, CachedKey copy, Stale stale) {
        Attempt next = attempt.next(meter.returns());
        check(next, copies.renew(next.secret(), copy, stale));
    }

    /**
     * Ends an attempt. If Redis came back meanwhile, the copy of the key may be from before, and is compared with what it is now.
     *
     * @param discard what is done before another attempt, or if the key cannot be compared
     */
    private void confirm(Attempt attempt, CachedKey copy, Runnable end, Runnable discard) {
        if (attempt.redisReturns() == meter.returns()) {
            end.run();
            return;
        }
        Attempt next = attempt.next(meter.returns());
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
                        "The API key is banned for going on after its quota was spent.");
            default -> {
                String window = decision.binding().equals(decision.day()) ? "day" : "minute";
                admission.refuse(
                        ErrorCode.RATE_LIMIT_EXCEEDED,
                        decision.retryAfterSeconds(),
                        "The quota of this " + window + " is spent.");
            }
        }
    }

    /**
     * One of the few attempts to decide on a request.
     *
     * @param secret identifies the key that was sent
     * @param number counted from 1
     * @param redisReturns how often Redis had come back before the key was found
     */
    private record Attempt(Admission admission, KeyHash secret, int number, long redisReturns) {
        Attempt next(long returnsByNow) {
            return new Attempt(admission, secret, number + 1, returnsByNow);
        }
    }
}
