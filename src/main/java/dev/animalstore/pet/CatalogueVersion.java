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
 * The catalogue's version, which all replicas share in Redis: a text that is replaced by one that never was before whenever a pet has been
 * added, after the commit and before the response. Two lists between which the version stayed the same show the same catalogue, but for pets
 * whose addition was not acknowledged in between. A version names the additions before it, so it is known of a page whether any of them
 * can be on it ({@code addition.lua} has the form).
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
    private static final Script ADDITION = Script.load(CatalogueVersion.class, "addition.lua");

    /** How many additions a version names: those within a second or so while many are added, in 400 bytes. */
    private static final int NAMED_ADDITIONS = 16;

    /** In an addition's place if anything may have changed. */
    private static final String ANYTHING = "";

    private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final Future<Optional<Version>> UNKNOWN = Future.succeededFuture(Optional.empty());

    /** How long a change that could not be made known waits before it is tried again. */
    private static final long RETRY_MILLIS = 20;

    private final RedisClient redis;
    private final Vertx vertx;
    private final SecureRandom random = new SecureRandom();
    private final AtomicBoolean untold = new AtomicBoolean();

    /** The read that is about to be sent. A read that has been sent may have been done before a list was asked for. */
    private final AtomicReference<Promise<Optional<Version>>> unsent = new AtomicReference<>();

    CatalogueVersion(RedisClient redis, Vertx vertx) {
        this.redis = redis;
        this.vertx = vertx;
        redis.onReturn(() -> {
            if (untold.getAndSet(false)) {
                replace(ANYTHING);
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
     * Makes known that a pet was added. If Redis does not take it, it is tried again for about a second, in which every replica notices
     * that Redis fails and believes no version from before; and once more when Redis is back, if only this replica could not reach it. An
     * outage that has lasted is no reason to wait for less: others may have had Redis back in between. Never fails.
     */
    Future<Void> raise(long petId) {
        return raise(
                Long.toString(petId), System.nanoTime() + redis.noticedWithin().toNanos());
    }

    private Future<Void> raise(String petId, long end) {
        return replace(petId).<Void>mapEmpty().recover(failure -> {
            if (System.nanoTime() - end > 0) {
                untold.set(true);
                return Future.succeededFuture();
            }
            return vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS).compose(ignored -> raise(petId, end));
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
            replace(ANYTHING);
            return Optional.empty();
        }
        return Optional.of(new Version(found.toString(), redis.doubts()));
    }

    /** Each try has a text of its own: one that is done late must not bring back a version that was replaced since. */
    private Future<Response> replace(String petId) {
        String unused = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
        return ADDITION.run(redis::send, HASH, unused, petId, Integer.toString(NAMED_ADDITIONS));
    }

    /**
     * A version as this replica learnt it.
     *
     * @param text what Redis knows it by: the additions before it, the latest first
     * @param doubts how often Redis may have forgotten or missed something by then
     */
    record Version(String text, long doubts) {
        private static final char SEPARATOR = ',';
        private static final Pattern COMMA = Pattern.compile(",");
        private static final Pattern IDENTIFIER = Pattern.compile("[0-9]{1,18}");

        /**
         * Whether a list that begins where a page began would show the same page at this version as at an earlier one: no pet was added since,
         * or only pets that come after a page that is full.
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

        /** The latest addition, which is that of no other version. */
        private String latest() {
            int end = text.indexOf(SEPARATOR);
            return end < 0 ? text : text.substring(0, end);
        }

        /** The identifiers of the pets that were added latest, up to a place in the text; 0 for what is not known. */
        private LongStream added(int end) {
            return COMMA.splitAsStream(text.substring(0, end - 1)).mapToLong(addition -> {
                String id = addition.substring(addition.indexOf(':') + 1);
                return IDENTIFIER.matcher(id).matches() ? Long.parseLong(id) : 0;
            });
        }
    }
}
