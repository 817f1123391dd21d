package dev.animalstore.pet;

import dev.animalstore.input.ParallelRead;
import dev.animalstore.redis.RedisClient;
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
 * <p>A list reads the version in the round trip that charges its quota. This replica trusts a version only until Redis may have lost or
 * missed a change: until a new connection or a failure. So neither a Redis that lost its data nor a promoted standby brings an old version
 * back.
 */
@Singleton
final class CatalogueVersion implements ParallelRead {
    private static final String NAME = CatalogueVersion.class.getName();
    private static final String FIELD = "v";

    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Future<Version> UNKNOWN = Future.succeededFuture();

    private final RedisClient redis;
    private final String hash;
    private final SecureRandom random = new SecureRandom();

    /** The read that is about to be sent. A read that was already sent may have been executed before a list was requested. */
    private final AtomicReference<Promise<Version>> unsent = new AtomicReference<>();

    CatalogueVersion(RedisClient redis) {
        this.redis = redis;
        hash = redis.prefix() + "catalogue";
    }

    /** {@inheritDoc} A list whose path has an unusual form gets no version. */
    @Override
    public void begin(RoutingContext exchange) {
        if (READS.contains(exchange.request().method())
                && exchange.normalizedPath().equals(PetResource.PATH)) {
            exchange.put(NAME, read());
        }
    }

    /** The version at some time since the list was requested; {@code null} if it is unknown, since Redis is unavailable or has none. */
    static Future<Version> of(RoutingContext exchange) {
        Future<Version> version = exchange.get(NAME);
        return version == null ? UNKNOWN : version;
    }

    /**
     * Announces an addition, so that no replica serves an earlier page. If Redis fails, the announcement is repeated for about a second: by
     * then every replica has noticed the failure, and trusts no version that it read before. If Redis has failed for that long already, the
     * announcement is sent once. Never fails, since the pet is committed.
     */
    Uni<Void> announce() {
        return Uni.createFrom()
                .completionStage(() -> redis.retry(this::replace).toCompletionStage())
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
        return new Version(found.toString(), redis.disturbances());
    }

    /** Each attempt uses a new string: one that Redis executes late must not restore a version that was replaced since. */
    private Future<Response> replace(Function<Request, Future<Response>> send) {
        String unused = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
        return send.apply(Request.cmd(Command.HSET).arg(hash).arg(FIELD).arg(unused));
    }

    /** A version as this replica read it. It differs from an equal text that was read before Redis may have lost or missed data. */
    record Version(String text, long disturbances) {}
}
