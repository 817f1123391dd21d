package dev.animalstore.metering.gate;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.metering.key.CachedKey;
import dev.animalstore.metering.key.KeyCache;
import dev.animalstore.metering.key.KeyCache.Copy;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.metering.key.KeyLook;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.Limits;
import dev.animalstore.metering.quota.QuotaLimiter;
import dev.animalstore.metering.quota.Reply;
import dev.animalstore.metering.quota.Reply.Ended;
import dev.animalstore.metering.quota.Reply.Outdated;
import dev.animalstore.metering.quota.Subject;
import dev.animalstore.metering.quota.SubjectId;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.ParallelRead;
import io.quarkus.arc.All;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/**
 * Decides on a request with a well-formed key, and owns the rule of which copy of a key may decide (docs/concepts.md).
 *
 * <p>A copy decides if no look has forgotten it and Redis knows no newer version of the key; without Redis, if this replica has looked at PostgreSQL,
 * or read the copy, within the last 30 seconds. Otherwise the key is read, by a query that begins after the request has arrived. If the query
 * fails, the request does: 503. A replica that itself was away for 30 seconds tries a look before its copies decide.
 */
@Singleton
class Admission {
    private static final String TOO_MANY_FAILURES = "Too many requests without a valid API key came from this address.";
    private static final String TOO_MANY_UNKNOWN = "Too many unknown API keys are being looked up.";

    /** How many secrets of addresses that have exceeded their limit of failures are looked up at a time: they may be guesses. */
    private static final int GUESSES = 8;

    /** A key can change again while it is read, but hardly ten times in a row. */
    private static final int MAXIMUM_ATTEMPTS = 10;

    private final KeyCache cache;
    private final KeyLook look;
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
            KeyLook look,
            QuotaLimiter limiter,
            FailedAuthenticationLimit failures,
            @All List<ParallelRead> parallel,
            Clock clock,
            Ticker ticker) {
        this.cache = cache;
        this.look = look;
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
        return look.isOverdue() ? await(look.tryNow(), first).compose(tried -> admit(first)) : admit(first);
    }

    private Future<Verdict> admit(Attempt first) {
        Copy copy = cache.find(first.hash());
        if (copy == null) {
            return lookUp(first);
        }
        return copy.isForgotten() ? readAndDecide(first) : decide(first, copy);
    }

    /** The verdict on a request without a valid key, which is charged to its address. */
    Verdict refuse(RoutingContext exchange, Refusal refusal) {
        Decision budget = failures.spend(exchange);
        return budget.outcome() == Outcome.ADMITTED
                ? Verdict.unauthorized(budget, refusal)
                : Verdict.refused(null, budget, budget.retryAfterSeconds(), TOO_MANY_FAILURES);
    }

    /** Looks up a secret that is not remembered, unless it may be one of too many guesses. */
    private Future<Verdict> lookUp(Attempt attempt) {
        Decision budget = failures.peek(attempt.exchange());
        if (budget.outcome() == Outcome.ADMITTED) {
            return readAndDecide(attempt);
        }
        if (!guesses.tryAcquire()) {
            return Future.succeededFuture(Verdict.refused(null, budget, 1, TOO_MANY_UNKNOWN));
        }
        return read(attempt).onComplete(ended -> guesses.release()).compose(read -> decide(attempt, read));
    }

    private Future<Verdict> readAndDecide(Attempt attempt) {
        return read(attempt).compose(read -> decide(attempt, read));
    }

    private Future<Copy> read(Attempt attempt) {
        return await(cache.read(attempt.hash()), attempt);
    }

    private static <T> Future<T> await(CompletionStage<T> stage, Attempt attempt) {
        Context context = attempt.exchange().vertx().getOrCreateContext();
        return Future.fromCompletionStage(stage, context)
                .recover(failure ->
                        Future.failedFuture(failure instanceof CompletionException ? failure.getCause() : failure));
    }

    private Future<Verdict> decide(Attempt attempt, Copy copy) {
        CachedKey key = copy.key();
        if (key == null) {
            return Future.succeededFuture(refuse(attempt, null));
        }
        Future<Reply> reply = limiter.spend(subject(key));
        if (attempt.number() == 1) {
            for (ParallelRead read : parallel) {
                read.begin(attempt.exchange());
            }
        }
        return reply.compose(replied -> {
            if (replied instanceof Decision decision) {
                return Future.succeededFuture(Verdict.of(key, decision));
            }
            if (replied instanceof Outdated outdated) {
                return repeat(attempt, key, outdated.newest());
            }
            return replied instanceof Ended ? Future.succeededFuture(refuse(attempt, key)) : decideAlone(attempt, copy);
        });
    }

    /** Decides without Redis: by the copy if it is known to be recent, otherwise by the key as it is now. */
    private Future<Verdict> decideAlone(Attempt attempt, Copy copy) {
        boolean isRecent = ticker.read() - copy.currentNanos() < cacheNanos;
        Future<Copy> current = isRecent ? Future.succeededFuture(copy) : read(attempt);
        return current.map(
                found -> found.key() == null || clock.millis() >= found.key().endsMillis()
                        ? refuse(attempt, found.key())
                        : Verdict.of(found.key(), limiter.spendAlone(subject(found.key()))));
    }

    private Verdict refuse(Attempt attempt, CachedKey ended) {
        return refuse(attempt.exchange(), AuthorizationHeader.INVALID_KEY).withEnded(ended);
    }

    private static Subject subject(CachedKey key) {
        Limits limits = new Limits(key.perMinute(), key.perDay());
        return new Subject(new SubjectId(key.id(), key.created()), key.version(), limits, key.endsMillis());
    }

    /** Reads a key again and decides anew. If it changes all the time, the request fails. */
    private Future<Verdict> repeat(Attempt attempt, CachedKey outdated, long newest) {
        if (attempt.number() == MAXIMUM_ATTEMPTS) {
            return Future.failedFuture(
                    new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The API key is being changed. Retry later."));
        }
        Attempt next = attempt.next();
        return read(next)
                .compose(read -> isBehind(read.key(), outdated, newest)
                        ? await(cache.raiseVersion(outdated.id(), newest), next).compose(raised -> read(next))
                        : Future.succeededFuture(read))
                .compose(read -> decide(next, read));
    }

    /**
     * Whether PostgreSQL has lost data: it was restored, or a failover lost a commit. Its row is valid then, and gets a version newer than any
     * replica's copy. Otherwise a query finds every version that Redis reported before, since a version is announced after its commit.
     */
    private static boolean isBehind(CachedKey read, CachedKey outdated, long newest) {
        return read != null && read.id() == outdated.id() && read.version() < newest;
    }

    /** An attempt, counted from 1, to decide on a request with the secret of that hash. */
    private record Attempt(RoutingContext exchange, KeyHash hash, int number) {
        Attempt next() {
            return new Attempt(exchange, hash, number + 1);
        }
    }
}
