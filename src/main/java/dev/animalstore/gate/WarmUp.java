package dev.animalstore.gate;

import dev.animalstore.key.BearerKey;
import dev.animalstore.key.CachedKey;
import dev.animalstore.key.KeyCache;
import dev.animalstore.key.KeyConfig;
import dev.animalstore.quota.QuotaLimiter;
import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.ImageMode;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Serves itself some lists before the replica is ready, since the first request of a cold JVM takes over a second. The requests take the
 * whole way, with a key that exists only in memory meanwhile, and are not counted. A native executable needs none.
 */
@Readiness
@ApplicationScoped
@IfBuildProfile("prod")
class WarmUp implements HealthCheck {
    private static final Logger LOG = Logger.getLogger(WarmUp.class);
    private static final Duration LONGEST = Duration.ofSeconds(3);
    private static final int LISTS = 30;

    private static final int NO_LIMIT = 1_000_000;

    private final KeyCache cache;
    private final KeyConfig config;
    private volatile boolean ended = ImageMode.current() == ImageMode.NATIVE_RUN;

    WarmUp(KeyCache cache, KeyConfig config) {
        this.cache = cache;
        this.config = config;
    }

    /** Runs on a worker thread once the service listens. A port that the system chose is not known here. */
    void begin(@ObservesAsync HttpServerStart server) {
        long end = System.nanoTime() + LONGEST.toNanos();
        BearerKey key = BearerKey.generate(config.environment(), new SecureRandom());
        CachedKey unlimited = new CachedKey(
                QuotaLimiter.NO_KEY, "warm-up", NO_LIMIT, NO_LIMIT, 0, Instant.EPOCH, null, null, null, null);
        cache.add(key.hash(), unlimited, Long.MAX_VALUE);
        try {
            for (int limit = 1; !ended && limit <= LISTS; limit++) {
                long rest = end - System.nanoTime();
                ended = rest <= 0 || server.options().getPort() < 1 || !isServed(server, limit, key, rest);
            }
        } catch (IOException late) {
            LOG.debug("The service did not serve itself in time.", late);
        } finally {
            ended = true;
        }
    }

    /** If the service listens for encrypted connections only, there is no warm-up. */
    void skip(@ObservesAsync HttpsServerStart server) {
        ended = true;
    }

    /** Requests a list, and returns whether it came. Each limit is another page, so that each is also a query. */
    private static boolean isServed(HttpServerStart server, int limit, BearerKey key, long nanos) throws IOException {
        URL list = new URL("http", server.options().getHost(), server.options().getPort(), "/v1/pets?limit=" + limit);
        HttpURLConnection exchange = (HttpURLConnection) list.openConnection(Proxy.NO_PROXY);
        exchange.setReadTimeout((int) TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
        exchange.setRequestProperty("Authorization", "Bearer " + key.reveal());
        exchange.setRequestProperty("X-Request-Id", "warm-up");
        return exchange.getResponseCode() == 200 && exchange.getInputStream().readAllBytes().length > 0;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("warm").status(ended).build();
    }
}
