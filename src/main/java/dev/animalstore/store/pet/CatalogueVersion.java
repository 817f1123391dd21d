package dev.animalstore.store.pet;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.redis.Probe;
import dev.animalstore.redis.RedisClient;
import dev.animalstore.web.input.ParallelRead;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The catalogue's version, which all replicas share in Redis: a string that is replaced by a unique one whenever a pet has been added,
 * after the commit and before the response. Two lists with the same version show the same catalogue, except for pets whose addition was not
 * acknowledged in between.
 *
 * <p>A list reads the version in the round trip that charges its quota. This replica trusts it from the second of two probes that succeed an
 * interval apart, after a probe has failed or a connection was opened, and while the last one was sent within {@link RedisClient#outageTime}: whoever
 * adds a pet that Redis refuses to announce waits for longer. The probe writes where the version is, so it fails if an announcement would. Any other
 * command that fails tells nothing. Created at the start, so that the version is trusted soon.
 */
@Startup
@Singleton
final class CatalogueVersion implements ParallelRead {
    private static final String NAME = CatalogueVersion.class.getName();
    private static final String FIELD = "v";
    private static final String PROBED_FIELD = "p";

    /** How many probes must succeed before the version is trusted. */
    private static final int PROBES = 2;

    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Future<Version> UNKNOWN = Future.succeededFuture();

    private final RedisClient redis;
    private final Ticker ticker;
    private final String hash;
    private final Probe probe;
    private final SecureRandom random = new SecureRandom();

    /** The read that is about to be sent. A read that was already sent may have been executed before a list was requested. */
    private final AtomicReference<Promise<Version>> unsent = new AtomicReference<>();

    /** How many probes must still succeed before the version is trusted. For use on the event loop of Redis only. */
    private int missingProbes = PROBES;

    /** The period in which the version is trusted, unlike any other one; {@code null} while it is not. */
    private volatile Object trusted;

    /** When the last probe that has succeeded was sent. */
    private volatile long provenNanos;

    CatalogueVersion(RedisClient redis, Ticker ticker) {
        this.redis = redis;
        this.ticker = ticker;
        hash = redis.prefix() + "catalogue";
        redis.onConnect(this::distrust);
        probe = redis.probe(
                () -> redis.sendAnyway(
                        Request.cmd(Command.HSET).arg(hash).arg(PROBED_FIELD).arg(1)),
                this::probed);
    }

    private void distrust() {
        missingProbes = PROBES;
        trusted = null;
    }

    private void probed(Throwable failure, long sentNanos) {
        if (failure != null || !isProven()) {
            distrust();
        }
        if (failure == null) {
            provenNanos = sentNanos;
            if (missingProbes > 0 && --missingProbes == 0) {
                trusted = new Object();
            }
        }
    }

    /** Whether Redis has worked within the time for which an announcement is repeated. */
    private boolean isProven() {
        return ticker.read() - provenNanos < redis.outageTime().toNanos();
    }

    /** {@inheritDoc} A list whose path has an unusual form gets no version, nor does any while none is trusted. */
    @Override
    public void begin(RoutingContext exchange) {
        if (READS.contains(exchange.request().method())
                && exchange.normalizedPath().equals(PetResource.PATH)
                && trusted != null) {
            exchange.put(NAME, read());
        }
    }

    /** The version at some time since the list was requested; {@code null} if it is unknown, since Redis is unavailable, not trusted or has none. */
    static Future<Version> of(RoutingContext exchange) {
        Future<Version> version = exchange.get(NAME);
        return version == null ? UNKNOWN : version;
    }

    /**
     * Announces an addition, so that no replica serves an earlier page. If Redis fails, the announcement is repeated until no replica trusts a
     * version, or sent once if Redis has failed for that long already. Never fails, since the pet is committed.
     */
    Uni<Void> announce() {
        return Uni.createFrom()
                .completionStage(
                        () -> probe.retry(() -> replace(redis::sendAnyway)).toCompletionStage())
                .onFailure()
                .recoverWithNull()
                .replaceWithVoid();
    }

    /** Lists that are requested before a read is sent share it. */
    private Future<Version> read() {
        Promise<Version> next = Promise.promise();
        Promise<Version> shared = unsent.compareAndExchange(null, next);
        if (shared != null) {
            return shared.future();
        }
        redis.send(this::readCommand).map(this::version).onComplete(read -> {
            // A command that could not be sent was never built.
            unsent.compareAndSet(next, null);
            next.complete(read.result());
        });
        return next.future();
    }

    private Request readCommand() {
        unsent.set(null);
        return Request.cmd(Command.HGET).arg(hash).arg(FIELD);
    }

    private Version version(Response found) {
        if (found == null) {
            replace(redis::send);
            return null;
        }
        Object period = trusted;
        return period == null || !isProven() ? null : new Version(found.toString(), period);
    }

    /** Each attempt uses a new string: one that Redis executes late must not restore a version that was replaced since. */
    private Future<Response> replace(Function<Request, Future<Response>> send) {
        String unused = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
        return send.apply(Request.cmd(Command.HSET).arg(hash).arg(FIELD).arg(unused));
    }

    /** A version as this replica read it. It differs from an equal text that was read in an earlier period of trust. */
    record Version(String text, Object period) {}
}
