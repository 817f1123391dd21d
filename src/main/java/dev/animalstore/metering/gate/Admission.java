package dev.animalstore.metering.gate;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.gate.Verdict.Refused;
import dev.animalstore.metering.gate.Verdict.Shown;
import dev.animalstore.metering.gate.Verdict.Unauthorized;
import dev.animalstore.metering.gate.Verdict.Unavailable;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.metering.key.CachedKey;
import dev.animalstore.metering.key.KeyCache;
import dev.animalstore.metering.key.KeyCache.Copy;
import dev.animalstore.metering.key.KeyConfig;
import dev.animalstore.metering.key.KeyLook;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.LocalLimiter;
import dev.animalstore.metering.quota.Quota;
import dev.animalstore.metering.quota.QuotaLimiter;
import dev.animalstore.metering.quota.Reply;
import dev.animalstore.metering.quota.Reply.Ended;
import dev.animalstore.metering.quota.Reply.Outdated;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.ParallelRead;
import io.quarkus.arc.All;
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
    private static final String TOO_MANY_VIEWS = "A key shows itself 60 times per minute at most.";
    private static final String TOO_MANY_UNKNOWN = "Too many unknown API keys are being looked up.";

    /** How many secrets of addresses that have exceeded their limit of failures are looked up at a time: they may be guesses. */
    private static final int GUESSES = 8;

    /** How often a key shows itself. The day has as many minutes as that. */
    private static final Quota VIEWS = new Quota(60, 86_400);

    /** If more keys are shown, one that is shown seldom starts anew. */
    private static final long MAXIMUM_VIEWED = 100_000;

    /** A key can change again while it is read, but hardly ten times in a row. */
    private static final int MAXIMUM_ATTEMPTS = 10;

    private final KeyCache cache;
    private final KeyLook look;
    private final QuotaLimiter limiter;
    private final FailedAuthenticationLimit failures;
    private final ParallelRead[] parallel;
    private final AuthorizationHeader authorization;
    private final long cacheNanos;
    private final Semaphore guesses = new Semaphore(GUESSES);
    private final LocalLimiter views;
    private final Clock clock;
    private final Ticker ticker;

    Admission(
            KeyConfig config,
            AuthorizationHeader authorization,
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
        this.authorization = authorization;
        cacheNanos = config.cacheTime().toNanos();
        views = new LocalLimiter(clock, 1, MAXIMUM_VIEWED);
        this.clock = clock;
        this.ticker = ticker;
    }

    /**
     * The verdict on a request that carries a key. Never blocks, never fails.
     *
     * @param charged otherwise the request is one to show the key, whatever is left of its quota
     */
    Future<Verdict> admit(BearerKey sent, RoutingContext exchange, boolean charged) {
        KeyHash hash = sent.hash();
        return look.isOverdue()
                ? await(look.tryNow(), exchange).compose(tried -> admit(hash, exchange, charged))
                : admit(hash, exchange, charged);
    }

    private Future<Verdict> admit(KeyHash hash, RoutingContext exchange, boolean charged) {
        // With the time of the last look before the copy is taken, as KeyCache says.
        Attempt first = new Attempt(exchange, hash, charged, cache.lookedNanos(), 1);
        Copy copy = cache.find(hash);
        if (copy == null) {
            return lookUp(first);
        }
        return copy.isForgotten() ? decide(first, read(first)) : decide(first, copy);
    }

    /** The verdict on a request without a valid key, which is charged to its address. */
    Verdict refuse(RoutingContext exchange, Refusal refusal) {
        return refuse(exchange, refusal, null);
    }

    private Verdict refuse(RoutingContext exchange, Refusal refusal, CachedKey ended) {
        Decision budget = failures.spend(exchange);
        return budget.outcome() == Outcome.ADMITTED
                ? new Unauthorized(budget, refusal, ended)
                : new Refused(null, budget, budget.retryAfterSeconds(), TOO_MANY_FAILURES, ended);
    }

    /** Looks up a secret that is not remembered, unless it may be one of too many guesses. */
    private Future<Verdict> lookUp(Attempt attempt) {
        Decision budget = failures.peek(attempt.exchange());
        if (budget.outcome() == Outcome.ADMITTED) {
            return decide(attempt, read(attempt));
        }
        return guesses.tryAcquire()
                ? decide(attempt, read(attempt).onComplete(ended -> guesses.release()))
                : Future.succeededFuture(new Refused(null, budget, 1, TOO_MANY_UNKNOWN, null));
    }

    private Future<Copy> read(Attempt attempt) {
        return await(cache.read(attempt.hash()), attempt.exchange());
    }

    private static <T> Future<T> await(CompletionStage<T> stage, RoutingContext exchange) {
        return Future.fromCompletionStage(stage, exchange.vertx().getOrCreateContext());
    }

    private Future<Verdict> decide(Attempt attempt, Future<Copy> read) {
        return read.transform(ended -> ended.succeeded()
                ? decide(attempt, ended.result())
                : Future.succeededFuture(unavailable(attempt, ended.cause())));
    }

    private Verdict unavailable(Attempt attempt, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return new Unavailable(failures.peek(attempt.exchange()), cause);
    }

    private Future<Verdict> decide(Attempt attempt, Copy copy) {
        CachedKey key = copy.key();
        if (key == null) {
            return Future.succeededFuture(refuse(attempt, null));
        }
        if (!attempt.charged()
                && attempt.number() == 1
                && clock.millis() < key.subject().endsMillis()) {
            Decision bound = views.spend(Long.toString(key.id()), VIEWS);
            if (bound.outcome() != Outcome.ADMITTED) {
                return Future.succeededFuture(new Refused(key, bound, bound.retryAfterSeconds(), TOO_MANY_VIEWS, null));
            }
        }
        Future<Reply> reply = limiter.spend(key.subject(), attempt.charged());
        if (attempt.charged() && attempt.number() == 1) {
            for (ParallelRead read : parallel) {
                read.begin(attempt.exchange());
            }
        }
        return reply.compose(replied -> {
            if (replied instanceof Decision decision) {
                return Future.succeededFuture(verdict(attempt, key, decision));
            }
            if (replied instanceof Outdated outdated) {
                return repeat(attempt, key, outdated.newest());
            }
            return replied instanceof Ended ? Future.succeededFuture(refuse(attempt, key)) : decideAlone(attempt, copy);
        });
    }

    /** Decides without Redis: by the copy if it is known to be recent, otherwise by the key as it is now. */
    private Future<Verdict> decideAlone(Attempt attempt, Copy copy) {
        long now = ticker.read();
        boolean isRecent = now - attempt.lookedNanos() < cacheNanos || now - copy.readNanos() < cacheNanos;
        Future<Copy> current = isRecent ? Future.succeededFuture(copy) : read(attempt);
        return current.transform(ended -> Future.succeededFuture(
                ended.succeeded() ? decideAlone(attempt, ended.result().key()) : unavailable(attempt, ended.cause())));
    }

    private Verdict decideAlone(Attempt attempt, CachedKey key) {
        if (key == null || clock.millis() >= key.subject().endsMillis()) {
            return refuse(attempt, key);
        }
        Decision decision = attempt.charged() ? limiter.spendAlone(key.subject()) : limiter.peekAlone(key.subject());
        return verdict(attempt, key, decision);
    }

    private static Verdict verdict(Attempt attempt, CachedKey key, Decision decision) {
        return attempt.charged() ? Verdict.of(key, decision) : new Shown(key, decision);
    }

    private Verdict refuse(Attempt attempt, CachedKey ended) {
        return refuse(attempt.exchange(), authorization.invalidKey, ended);
    }

    /** Reads a key again and decides anew. If it changes all the time, the request fails. */
    private Future<Verdict> repeat(Attempt attempt, CachedKey outdated, long newest) {
        if (attempt.number() == MAXIMUM_ATTEMPTS) {
            String changing = "The API key is being changed. Retry later.";
            return Future.succeededFuture(
                    unavailable(attempt, new ApiException(ErrorCode.SERVICE_UNAVAILABLE, changing)));
        }
        Attempt next = attempt.next();
        Future<Copy> current = read(next)
                .compose(read -> isBehind(read.key(), outdated, newest)
                        ? await(cache.raiseVersion(outdated.id(), newest), next.exchange())
                                .compose(raised -> read(next))
                        : Future.succeededFuture(read));
        return decide(next, current);
    }

    /**
     * Whether PostgreSQL has lost data: it was restored, or a failover lost a commit. Its row is valid then, and gets a version newer than any
     * replica's copy. Otherwise a query finds every version that Redis reported before, since a version is announced after its commit.
     */
    private static boolean isBehind(CachedKey read, CachedKey outdated, long newest) {
        return read != null && read.id() == outdated.id() && read.subject().version() < newest;
    }

    /**
     * An attempt, counted from 1, to decide on a request with the secret of that hash.
     *
     * @param lookedNanos as {@link KeyCache#lookedNanos} was before the first one
     */
    private record Attempt(RoutingContext exchange, KeyHash hash, boolean charged, long lookedNanos, int number) {
        Attempt next() {
            return new Attempt(exchange, hash, charged, lookedNanos, number + 1);
        }
    }
}
