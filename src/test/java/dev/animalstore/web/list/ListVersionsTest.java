package dev.animalstore.web.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.fixture.Independent;
import dev.animalstore.redis.FakeRedis;
import dev.animalstore.redis.RedisClient;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** When a version is trusted, and which read of it a list gets. */
@Independent
class ListVersionsTest {
    private static final String PATH = "/v1/pets";

    @AutoClose
    private final FakeRedis redis = new FakeRedis();

    private final RedisClient client = redis.client(Ticker.disabledTicker());

    private ListVersions versions;
    private ListVersions.One list;

    @Test
    void versions_afterTwoProbesAnIntervalApart_areTrusted() {
        redis.hold();
        start();
        await("HSET");
        long proven = System.nanoTime();
        redis.reply();
        await("HSET");
        long elapsed = System.nanoTime() - proven;
        assertTrue(elapsed >= FakeRedis.PROBED_EVERY.toNanos(), elapsed + " ns");
        assertFalse(isTrusted());

        redis.reply();
        Awaitility.await().until(this::isTrusted);
    }

    @Test
    void versions_onANewConnection_areNotTrusted() {
        startTrusted();
        Queue<Boolean> trusted = new ConcurrentLinkedQueue<>();
        client.onConnect(() -> trusted.add(isTrusted()));
        redis.disconnect();
        Awaitility.await().until(() -> !trusted.isEmpty());
        assertFalse(trusted.peek());
    }

    @Test
    void version_thatIsMissing_isReplaced() {
        startTrusted();
        redis.fields().remove(PATH);
        request();
        Awaitility.await().until(() -> redis.fields().containsKey(PATH));
    }

    /** Redis may have executed the read before the list was requested. */
    @Test
    void list_requestedAfterAReadWasSent_getsALaterRead() {
        startTrusted();
        redis.fields().put(PATH, "earlier");
        Future<ListVersions.Version> first = holdRead();
        redis.fields().put(PATH, "later");
        Future<ListVersions.Version> second = list.of(request());
        redis.release();
        Awaitility.await().until(() -> first.isComplete() && second.isComplete());
        assertEquals("earlier", first.result().text());
        assertEquals("later", second.result().text());
    }

    /** Redis has executed it, but not replied. */
    private Future<ListVersions.Version> holdRead() {
        redis.hold();
        Future<ListVersions.Version> read = list.of(request());
        await("HGET");
        return read;
    }

    private void start() {
        versions = new ListVersions(client, Ticker.disabledTicker());
        list = versions.at(PATH);
    }

    /** Until no read is in flight. */
    private void startTrusted() {
        redis.fields().put(PATH, "first");
        start();
        Awaitility.await().until(this::isTrusted);
        Awaitility.await().until(list.of(request())::isComplete);
    }

    private void await(String command) {
        Awaitility.await().until(() -> redis.holds(command));
    }

    /** Whether a list reads its version. */
    private boolean isTrusted() {
        Map<Object, Object> values = new ConcurrentHashMap<>();
        begin(values);
        return !values.isEmpty();
    }

    private RoutingContext request() {
        return begin(new ConcurrentHashMap<>());
    }

    /** @param values of the exchange */
    private RoutingContext begin(Map<Object, Object> values) {
        HttpServerRequest request = only(HttpServerRequest.class, (self, method, arguments) -> HttpMethod.GET);
        RoutingContext exchange = only(RoutingContext.class, (self, method, arguments) -> switch (method.getName()) {
            case "normalizedPath" -> PATH;
            case "request" -> request;
            case "put" -> values.put(arguments[0], arguments[1]);
            default -> values.get(arguments[0]);
        });
        versions.begin(exchange);
        return exchange;
    }

    private static <T> T only(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
