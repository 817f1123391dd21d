package dev.animalstore.gate;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.input.ParallelRead;
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
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Decides on a request with a well-formed key, and owns the rule of which copy of a key may decide (docs/concepts.md).
 *
 * <p>A copy that may not decide is read again, by a query that begins after the request has arrived. It then has every change that the
 * request must obey, and decides, unless it was changed again meanwhile. If the query fails, the request does: 503.
 */
@Singleton
class Admission {
    private static final String TOO_MANY_FAILURES = "Too many requests without a valid API key came from this address.";
    private static final String TOO_MANY_UNKNOWN = "Too many unknown API keys are being looked up.";

    /** How long a missing secret is refused, since its row may be missing for a moment only. */
    private static final Duration MISSING_TIME = Duration.ofSeconds(1);

    /** How many secrets of addresses that have exceeded their limit of failures are looked up at a time: they may be guesses. */
    private static final int GUESSES = 8;

    /** A key can change again while it is read, but hardly ten times in a row. */
    private static final int MAXIMUM_ATTEMPTS = 10;

    private final KeyCache cache;
    private final QuotaLimiter limiter;
    private final FailedAuthenticationLimit failures;
    private final ParallelRead[] parallel;
    private final long cacheNanos;
    private final Semaphore guesses = new Semaphore(GUESSES);
    private final Clock clock;
    private final Ticker ticker;

    Admission(
            KeyConfig config,
            KeyCache cache,
            QuotaLimiter limiter,
            FailedAuthenticationLimit failures,
            @All List<ParallelRead> parallel,
            Clock clock,
            Ticker ticker) {
        this.cache = cache;
        this.limiter = limiter;
        this.failures = failures;
        this.parallel = parallel.toArray(ParallelRead[]::new);
        cacheNanos = config.cacheTime().toNanos();
        this.clock = clock;
        this.ticker = ticker;
    }

    /** The verdict on a request that carries a key. Never blocks. Fails if the key cannot be checked. */
    Future<Verdict> admit(BearerKey sent, RoutingContext exchange) {
        Attempt first = new Attempt(exchange, sent.hash(), 1);
        Copy copy = cache.find(first.hash());
        if (copy != null && mayDecide(copy)) {
            return decide(first, copy, false);
        }
        boolean wasFound = copy != null && (copy.key != null || copy.missing);
        return wasFound ? read(first).compose(read -> decide(first, read, true)) : lookUp(first);
    }

    /** Whether a copy may decide if Redis confirms it. Without Redis, {@link QuotaLimiter} decides by its last confirmation. */
    private boolean mayDecide(Copy copy) {
        return copy.epoch == limiter.epoch()
                && !(copy.missing && ticker.read() - copy.readNanos > MISSING_TIME.toNanos());
    }

    /** The verdict on a request without a valid key, which is charged to its address. */
    Verdict refuse(RoutingContext exchange, Refusal refusal) {
        Decision budget = failures.spend(exchange);
        return budget.outcome() == Outcome.ADMITTED
                ? Verdict.unauthorized(budget, refusal)
                : Verdict.refused(null, budget, budget.retryAfterSeconds(), TOO_MANY_FAILURES);
    }

    /** Looks up a secret that was not found within the hour, unless it may be one of too many guesses. */
    private Future<Verdict> lookUp(Attempt attempt) {
        Decision budget = failures.peek(attempt.exchange());
        if (budget.outcome() == Outcome.ADMITTED) {
            return read(attempt).compose(read -> decide(attempt, read, true));
        }
        if (!guesses.tryAcquire()) {
            return Future.succeededFuture(Verdict.refused(null, budget, 1, TOO_MANY_UNKNOWN));
        }
        return read(attempt).onComplete(ended -> guesses.release()).compose(read -> decide(attempt, read, true));
    }

    private Future<Copy> read(Attempt attempt) {
        return await(cache.read(attempt.hash(), limiter.epoch()), attempt);
    }

    private static <T> Future<T> await(CompletionStage<T> stage, Attempt attempt) {
        Context context = attempt.exchange().vertx().getOrCreateContext();
        return Future.fromCompletionStage(stage, context)
                .recover(failure ->
                        Future.failedFuture(failure instanceof CompletionException ? failure.getCause() : failure));
    }

    /** @param current whether the copy was read after the request had arrived */
    private Future<Verdict> decide(Attempt attempt, Copy copy, boolean current) {
        CachedKey key = copy.key;
        long nanos = ticker.read();
        long now = TimeUnit.MILLISECONDS.toMicros(clock.millis());
        if (key != null && copy.isDue(nanos)) {
            // In the background: if it fails, the copy stays.
            var unused = cache.read(attempt.hash(), copy.epoch);
        }
        boolean usable = key != null && key.usableAt(now);
        if (!usable && (key == null || current || !key.mayBeUsableAt(now))) {
            return Future.succeededFuture(refuse(attempt.exchange(), AuthorizationHeader.INVALID_KEY));
        }
        Subject subject = subject(copy, current);
        // An operator may have moved the expiry of a key that is not usable, which must apply at once.
        Future<Reply> reply = usable ? limiter.spend(subject) : limiter.check(subject);
        if (usable && attempt.number() == 1) {
            for (ParallelRead read : parallel) {
                read.begin(attempt.exchange());
            }
        }
        return reply.compose(replied -> {
            if (replied instanceof Stale stale) {
                return repeat(attempt, key, stale);
            }
            Decision decision = (Decision) replied;
            if (decision.shared()) {
                copy.confirm(nanos);
            }
            return Future.succeededFuture(
                    usable ? Verdict.of(key, decision) : refuse(attempt.exchange(), AuthorizationHeader.INVALID_KEY));
        });
    }

    private Subject subject(Copy copy, boolean current) {
        CachedKey key = copy.key;
        SubjectId id = new SubjectId(key.id(), key.created());
        Limits limits = new Limits(key.perMinute(), key.perDay());
        return current
                ? Subject.current(id, key.version(), limits)
                : new Subject(id, key.version(), limits, copy.epoch, copy.confirmedNanos() + cacheNanos);
    }

    /** Reads a key again and decides anew. If it changes all the time, the request fails. */
    private Future<Verdict> repeat(Attempt attempt, CachedKey outdated, Stale stale) {
        if (attempt.number() == MAXIMUM_ATTEMPTS) {
            return Future.failedFuture(
                    new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The API key is being changed. Retry later."));
        }
        Attempt next = attempt.next();
        return read(next)
                .compose(read -> isBehind(read.key, outdated, stale)
                        ? await(cache.raiseVersion(outdated.id(), stale.newest()), next)
                                .compose(raised -> read(next))
                        : Future.succeededFuture(read))
                .compose(read -> decide(next, read, true));
    }

    /**
     * Whether PostgreSQL has lost data: it was restored, or a failover lost a commit. Its row is valid then, and gets a version newer than any
     * replica's copy. Otherwise a query finds every version that Redis reported before, since a version is announced after its commit.
     */
    private static boolean isBehind(CachedKey read, CachedKey outdated, Stale stale) {
        return read != null && read.id() == outdated.id() && read.version() < stale.newest();
    }

    /** An attempt, counted from 1, to decide on a request with the secret of that hash. */
    private record Attempt(RoutingContext exchange, KeyHash hash, int number) {
        Attempt next() {
            return new Attempt(exchange, hash, number + 1);
        }
    }
}
