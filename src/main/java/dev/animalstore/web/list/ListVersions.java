package dev.animalstore.web.list;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.redis.Probe;
import dev.animalstore.redis.RedisClient;
import dev.animalstore.web.http.ParallelRead;
import io.quarkus.runtime.Startup;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The version of each list, which all replicas share in Redis: a string that is replaced by a unique one whenever the list has changed, after the
 * commit and before the response. Two requests that read the same version get the same rows, except for changes that were not acknowledged in
 * between.
 *
 * <p>A list reads its version in the round trip that charges its quota. This replica trusts versions from the second of two probes that succeed an
 * interval apart, after a probe has failed or a connection was opened, and while the last one was sent within {@link RedisClient#outageTime}: whoever
 * changes a list that Redis refuses to announce waits for longer. The probe writes where the versions are, so it fails if an announcement would. Any
 * other command that fails tells nothing. Created at the start, so that versions are trusted soon.
 */
@Startup
@Singleton
final class ListVersions implements ParallelRead {
    private static final String PROBED_FIELD = "p";

    /** How many probes must succeed before versions are trusted. */
    private static final int PROBES = 2;

    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final RedisClient redis;
    private final Ticker ticker;
    private final String hash;
    private final Probe probe;
    private final SecureRandom random = new SecureRandom();

    /** By the paths of the lists, which are the fields of the hash. */
    private final Map<String, One> lists = new ConcurrentHashMap<>();

    /** How many probes must still succeed before versions are trusted. For use on the event loop of Redis only. */
    private int missingProbes = PROBES;

    /** The period in which versions are trusted, unlike any other one; {@code null} while they are not. */
    private volatile Object trusted;

    /** When the last probe that has succeeded was sent. */
    private volatile long provenNanos;

    ListVersions(RedisClient redis, Ticker ticker) {
        this.redis = redis;
        this.ticker = ticker;
        hash = redis.prefix() + "lists";
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
        One list = lists.get(exchange.normalizedPath());
        if (list != null && READS.contains(exchange.request().method()) && trusted != null) {
            exchange.put(list.name, list.read());
        }
    }

    One at(String path) {
        return lists.computeIfAbsent(path, One::new);
    }

    /** The version of one list. */
    final class One {
        private final String path;

        /** Under which an exchange has it. */
        private final String name;

        /** The read that is about to be sent. A read that was already sent may have been executed before a list was requested. */
        private final AtomicReference<Promise<Version>> unsent = new AtomicReference<>();

        private One(String path) {
            this.path = path;
            name = ListVersions.class.getName() + path;
        }

        /** The version at some time since the request; {@code null} if it is unknown, since Redis is unavailable, not trusted or has none. */
        Future<Version> of(RoutingContext exchange) {
            Future<Version> version = exchange.get(name);
            return version == null ? Future.succeededFuture() : version;
        }

        /**
         * Announces a change, so that no replica serves an earlier page. If Redis fails, the announcement is repeated until no replica trusts a
         * version, or sent once if Redis has failed for that long already. Never fails, since the change is committed.
         */
        Future<Void> announce() {
            return probe.retry(() -> replace(redis::sendAnyway))
                    .<Void>mapEmpty()
                    .otherwiseEmpty();
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
            return Request.cmd(Command.HGET).arg(hash).arg(path);
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
            return send.apply(Request.cmd(Command.HSET).arg(hash).arg(path).arg(unused));
        }
    }

    /** A version as this replica read it. It differs from an equal text that was read in an earlier period of trust. */
    record Version(String text, Object period) {}
}
