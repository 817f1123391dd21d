package dev.animalstore.pet;

import dev.animalstore.redis.RedisClient;
import dev.animalstore.redis.Script;
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
import java.security.SecureRandom;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * The catalogue's version, which all replicas share in Redis: a string that is replaced by a unique one whenever a pet has been added,
 * after the commit and before the response. Two lists with the same version show the same catalogue, except for pets whose addition was not
 * acknowledged in between. A version names the additions before it, so a replica can tell whether any of them affects a page ({@code
 * addition.lua} has the format).
 *
 * <p>A list reads the version in the round trip that charges its quota. This replica trusts a version only until Redis may have lost or
 * missed a change: until a new connection or a failure. So neither a Redis that lost its data nor a promoted standby brings an old version
 * back.
 */
@Singleton
final class CatalogueVersion implements Prefetch {
    private static final String NAME = CatalogueVersion.class.getName();
    private static final String HASH = "animalstore:catalogue";
    private static final String FIELD = "v";
    private static final Script ADDITION = Script.load(CatalogueVersion.class, "addition.lua");

    /** How many additions a version names: about one second's worth under heavy writes, in 400 bytes. */
    private static final int NAMED_ADDITIONS = 16;

    /** Takes the place of the identifier if anything may have changed. */
    private static final String ANYTHING = "";

    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Future<Optional<Version>> UNKNOWN = Future.succeededFuture(Optional.empty());

    /** The delay before a failed publication is retried. */
    private static final long RETRY_MILLIS = 20;

    private final RedisClient redis;
    private final Vertx vertx;
    private final SecureRandom random = new SecureRandom();
    private final AtomicBoolean unpublished = new AtomicBoolean();

    /** The read that is about to be sent. A read that was already sent may have been executed before a list was requested. */
    private final AtomicReference<Promise<Optional<Version>>> unsent = new AtomicReference<>();

    CatalogueVersion(RedisClient redis, Vertx vertx) {
        this.redis = redis;
        this.vertx = vertx;
        redis.onReturn(() -> {
            if (unpublished.getAndSet(false)) {
                replace(ANYTHING);
            }
        });
    }

    /** {@inheritDoc} A list whose path has an unusual form gets no version. */
    @Override
    public void begin(RoutingContext exchange) {
        if (READS.contains(exchange.request().method())
                && exchange.normalizedPath().equals(PetResource.PATH)) {
            exchange.put(NAME, read());
        }
    }

    /** The version at some time since the list was requested; empty if it is unknown, since Redis is unavailable or has none. */
    static Future<Optional<Version>> of(RoutingContext exchange) {
        Future<Optional<Version>> version = exchange.get(NAME);
        return version == null ? UNKNOWN : version;
    }

    /**
     * Publishes the addition of a pet. If Redis fails, this is retried for about a second, in which every replica notices the failure and
     * stops trusting earlier versions; and once more when Redis is available again, in case only this replica could not reach it. A long
     * outage is no reason to retry for less time, since other replicas may have reached Redis in between. Never fails.
     */
    Future<Void> raise(long petId) {
        return raise(
                Long.toString(petId), System.nanoTime() + redis.noticedWithin().toNanos());
    }

    private Future<Void> raise(String petId, long end) {
        return replace(petId).<Void>mapEmpty().recover(failure -> {
            if (System.nanoTime() - end > 0) {
                unpublished.set(true);
                return Future.succeededFuture();
            }
            return vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS).compose(ignored -> raise(petId, end));
        });
    }

    /** Lists that are requested before a read is sent share it. */
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
            replace(ANYTHING);
            return Optional.empty();
        }
        return Optional.of(new Version(found.toString(), redis.doubts()));
    }

    /** Each attempt uses a new string: one that Redis executes late must not restore a version that was replaced since. */
    private Future<Response> replace(String petId) {
        String unused = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
        return ADDITION.run(redis::send, HASH, unused, petId, Integer.toString(NAMED_ADDITIONS));
    }

    /**
     * A version as this replica read it.
     *
     * @param text its value in Redis: the additions before it, the latest first
     * @param doubts how often Redis may have lost or missed data before the read
     */
    record Version(String text, long doubts) {
        private static final char SEPARATOR = ',';
        private static final Pattern COMMA = Pattern.compile(",");
        private static final Pattern IDENTIFIER = Pattern.compile("[0-9]{1,18}");

        /**
         * Whether a page is the same at this version as at an earlier one: no pet was added since, or only pets after a page that is full.
         *
         * @param last the identifier of the last pet of the page, if more follow
         */
        boolean keeps(Version earlier, OptionalLong last) {
            if (equals(earlier)) {
                return true;
            }
            if (doubts != earlier.doubts || last.isEmpty()) {
                return false;
            }
            int since = (SEPARATOR + text).indexOf(SEPARATOR + earlier.latest());
            return since > 0 && added(since).allMatch(id -> id > last.getAsLong());
        }

        /** The latest addition, which is unique to this version. */
        private String latest() {
            int end = text.indexOf(SEPARATOR);
            return end < 0 ? text : text.substring(0, end);
        }

        /** The identifiers of the latest additions, up to a position in the text; 0 if unknown. */
        private LongStream added(int end) {
            return COMMA.splitAsStream(text.substring(0, end - 1)).mapToLong(addition -> {
                String id = addition.substring(addition.indexOf(':') + 1);
                return IDENTIFIER.matcher(id).matches() ? Long.parseLong(id) : 0;
            });
        }
    }
}
