package dev.animalstore.pet;

import dev.animalstore.redis.RedisClient;
import dev.animalstore.request.Prefetch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The catalogue's version, which all replicas share in Redis: a text that is replaced by one that never was before whenever a pet has been
 * added, after the commit and before the response. Two lists between which the version stayed the same show the same catalogue, but for pets
 * whose addition was not acknowledged in between.
 *
 * <p>A list learns the version in the round trip that decides on its quota. The version counts for this replica only until Redis may have
 * forgotten or missed a change: until it is connected to anew, or has failed. So neither a Redis that lost its data nor a standby that takes
 * over brings an old version back.
 */
@Singleton
final class CatalogueVersion implements Prefetch {
    private static final String NAME = CatalogueVersion.class.getName();
    private static final String HASH = "animalstore:catalogue";
    private static final String FIELD = "v";
    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Future<Optional<Version>> UNKNOWN = Future.succeededFuture(Optional.empty());

    /** How long a change that could not be made known waits before it is tried again. */
    private static final long RETRY_MILLIS = 20;

    private final RedisClient redis;
    private final Vertx vertx;
    private final AtomicBoolean untold = new AtomicBoolean();

    /** The read that is about to be sent. A read that has been sent may have been done before a list was asked for. */
    private final AtomicReference<Promise<Optional<Version>>> unsent = new AtomicReference<>();

    CatalogueVersion(RedisClient redis, Vertx vertx) {
        this.redis = redis;
        this.vertx = vertx;
        redis.onReturn(() -> {
            if (untold.getAndSet(false)) {
                replace();
            }
        });
    }

    /** {@inheritDoc} A list in an unusual spelling is served without. */
    @Override
    public void begin(RoutingContext exchange) {
        if (READS.contains(exchange.request().method())
                && exchange.normalizedPath().equals(PetResource.PATH)) {
            exchange.put(NAME, read());
        }
    }

    /** The version at some time since the list was asked for; empty if it is not known, since Redis fails or has none. */
    static Future<Optional<Version>> of(RoutingContext exchange) {
        Future<Optional<Version>> version = exchange.get(NAME);
        return version == null ? UNKNOWN : version;
    }

    /**
     * Makes known that the catalogue has changed. If Redis does not take it, it is tried again for about a second, in which every replica notices
     * that Redis fails and believes no version from before; and once more when Redis is back, if only this replica could not reach it. An
     * outage that has lasted is no reason to wait for less: others may have had Redis back in between. Never fails.
     */
    Future<Void> raise() {
        return raise(System.nanoTime() + redis.noticedWithin().toNanos());
    }

    private Future<Void> raise(long end) {
        return replace().<Void>mapEmpty().recover(failure -> {
            if (System.nanoTime() - end > 0) {
                untold.set(true);
                return Future.succeededFuture();
            }
            return vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS).compose(now -> raise(end));
        });
    }

    /** Lists that are asked for before a read is sent share it. */
    private Future<Optional<Version>> read() {
        if (redis.isFailing()) {
            return UNKNOWN;
        }
        Promise<Optional<Version>> next = Promise.promise();
        Promise<Optional<Version>> shared = unsent.compareAndExchange(null, next);
        if (shared != null) {
            return shared.future();
        }
        redis.send(this::readCommand)
                .map(this::version)
                .otherwise(Optional.empty())
                .onComplete(next);
        return next.future();
    }

    private Request readCommand() {
        unsent.set(null);
        return Request.cmd(Command.HGET).arg(HASH).arg(FIELD);
    }

    private Optional<Version> version(Response found) {
        if (found == null) {
            replace();
            return Optional.empty();
        }
        return Optional.of(new Version(found.toString(), redis.doubts()));
    }

    /** Each try has a text of its own: one that is done late must not bring back a version that was replaced since. */
    private Future<Response> replace() {
        String next = UUID.randomUUID().toString();
        return redis.send(Request.cmd(Command.HSET).arg(HASH).arg(FIELD).arg(next));
    }

    /**
     * A version as this replica learnt it.
     *
     * @param text what Redis knows it by
     * @param doubts how often Redis may have forgotten or missed something by then
     */
    record Version(String text, long doubts) {}
}
