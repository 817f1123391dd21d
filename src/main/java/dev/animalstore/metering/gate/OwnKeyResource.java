package dev.animalstore.metering.gate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.CachedKey;
import dev.animalstore.metering.quota.Quota;
import dev.animalstore.metering.quota.QuotaView;
import dev.animalstore.metering.usage.Days;
import dev.animalstore.metering.usage.Days.Day;
import dev.animalstore.metering.usage.Days.Month;
import dev.animalstore.metering.usage.UsageReports;
import dev.animalstore.metering.usage.UsageReports.DayUsage;
import dev.animalstore.outage.Bulkhead;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.http.Caller;
import dev.animalstore.web.http.RequestLog;
import io.quarkus.agroal.DataSource;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jboss.resteasy.reactive.RestQuery;

/** Shows a customer the key that the request carries, by the verdict on the request, and its usage. */
@Singleton
@Path(OwnKeyResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
public class OwnKeyResource {
    static final String PATH = "/v1/key";

    private static final int DEFAULT_DAYS = 30;

    private final AuthorizationHeader authorization;
    private final UsageReports usage;
    private final DatabaseBreaker database;
    private final Bulkhead reads;
    private final Clock clock;

    OwnKeyResource(
            AuthorizationHeader authorization,
            UsageReports usage,
            @DataSource("metering") DatabaseBreaker database,
            Clock clock,
            Ticker ticker) {
        this.authorization = authorization;
        this.usage = usage;
        this.database = database;
        reads = new Bulkhead("reads of the usage of one key", 1, database, ticker);
        this.clock = clock;
    }

    /** Whether a request is one to show its key, which is not charged. Another spelling of the path is charged like any request. */
    static boolean isAsked(RoutingContext exchange) {
        HttpMethod method = exchange.request().method();
        return (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD))
                && exchange.normalizedPath().equals(PATH);
    }

    @GET
    @NonBlocking
    public OwnKey getKey(RoutingContext exchange) {
        Verdict verdict = (Verdict) RequestLog.details(exchange);
        String hint = authorization
                .key(exchange.request().headers().getAll(HttpHeaders.AUTHORIZATION))
                .orElseThrow()
                .hint();
        CachedKey key = verdict.key();
        return new OwnKey(
                key.id(),
                key.plan(),
                key.subject().limits(),
                CachedKey.instant(key.keyExpires()),
                new Secret(hint, CachedKey.instant(key.secretExpires())),
                QuotaView.of(verdict.quota()),
                QuotaView.Ban.of(verdict.quota()));
    }

    /** Shows the usage of the key on the days on which it sent requests. Its database is the engine's, not that of the service. */
    @GET
    @Path("usage")
    public Uni<List<DayUsage>> getKeyUsage(
            @RestQuery Day from, @RestQuery Day to, @RestQuery Month month, Caller caller) {
        Days days = Days.of(from, to, month, Days.today(clock), DEFAULT_DAYS);
        long key = caller.key();
        return Uni.createFrom()
                .completionStage(() -> reads.run(() -> usage.ofKey(key, days.from(), days.to())))
                .onFailure()
                .transform(failure -> ApiException.ofShared(failure, database));
    }

    /**
     * A key: as this replica has read it, in the version that Redis knows; without Redis, as far as its copy may decide. Members that are
     * {@code null} are absent.
     *
     * @param secret the one that was sent
     * @param usage the present one in Redis; without Redis, that of this replica's share
     * @param ban the present one in Redis
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record OwnKey(
            long id, String plan, Quota limits, Instant expiresAt, Secret secret, QuotaView usage, QuotaView.Ban ban) {}

    /** A secret: its last four characters before the check, and the end of its grace period, {@code null} for the current one. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Secret(String hint, Instant expiresAt) {}
}
