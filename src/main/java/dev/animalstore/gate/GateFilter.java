package dev.animalstore.gate;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyConfig;
import dev.animalstore.key.KeyDirectory;
import dev.animalstore.key.KnownKey;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.QuotaMeter;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Decides on every request under {@code /v1}, in this order: is there a well-formed key (no I/O), is it known and usable (memory, or one
 * query), has it quota left (one round trip to Redis). It runs before matching, on the path that will be matched, and never blocks.
 */
@ApplicationScoped
class GateFilter {
    private static final String API = "/v1";

    private final KeyConfig config;
    private final KeyDirectory directory;
    private final QuotaMeter meter;
    private final FailedAuthentication failures;
    private final Clock clock;

    GateFilter(KeyConfig config, KeyDirectory directory, QuotaMeter meter, FailedAuthentication failures, Clock clock) {
        this.config = config;
        this.directory = directory;
        this.meter = meter;
        this.failures = failures;
        this.clock = clock;
    }

    /** Lets a request pass (no response) or refuses it. */
    @ServerRequestFilter(preMatching = true)
    Uni<Response> admit(ContainerRequestContext request, RoutingContext exchange) {
        if (!isApi(request.getUriInfo().getPath())) {
            return Uni.createFrom().nullItem();
        }
        HttpServerRequest http = exchange.request();
        Authorization authorization =
                Authorization.parse(http.headers().getAll(HttpHeaders.AUTHORIZATION), config.environment());
        Admission admission = new Admission(request, http, authorization);
        return authorization
                .key()
                .map(key -> admitKey(admission, key))
                .orElseGet(() -> Uni.createFrom().item(unauthorized(admission)));
    }

    private Uni<Response> admitKey(Admission admission, BearerKey key) {
        return Uni.createFrom()
                .completionStage(directory.find(key.hash()))
                .onFailure()
                .invoke(failure -> QuotaHeaders.write(
                        failures.peek(admission.http().remoteAddress()),
                        admission.http().response().headers()))
                .chain(found -> spend(admission, key, found));
    }

    private Uni<Response> spend(Admission admission, BearerKey key, Optional<KnownKey> found) {
        Optional<KnownKey> usable = found.filter(known -> known.usableAt(clock.instant()));
        if (usable.isEmpty()) {
            return Uni.createFrom().item(unauthorized(admission));
        }
        KnownKey known = usable.get();
        Limits limits = new Limits(known.perMinute(), known.perDay());
        return meter.spend(known.id(), limits, known.version()).chain(decision -> {
            if (decision.outcome() == Decision.Outcome.STALE) {
                directory.forget(key.hash());
                return admitKey(admission, key);
            }
            QuotaHeaders.write(decision, admission.http().response().headers());
            return Uni.createFrom().item(decided(admission, known, decision));
        });
    }

    private static Response decided(Admission admission, KnownKey key, Decision decision) {
        if (decision.outcome() == Decision.Outcome.ADMITTED) {
            admission
                    .request()
                    .setSecurityContext(new Caller(key, admission.http().isSSL()));
            return null;
        }
        String window = decision.binding().equals(decision.day()) ? "day" : "minute";
        return tooMany(decision, "The quota of this " + window + " is spent.");
    }

    private Response unauthorized(Admission admission) {
        Decision budget = failures.charge(admission.http().remoteAddress());
        QuotaHeaders.write(budget, admission.http().response().headers());
        if (budget.outcome() == Decision.Outcome.REFUSED) {
            return tooMany(budget, "Too many requests without a valid API key came from this address.");
        }
        Authorization authorization = admission.authorization();
        ApiError error = authorization.given()
                ? new ApiError(ErrorCode.INVALID_API_KEY, "The API key is not valid.")
                : new ApiError(ErrorCode.MISSING_API_KEY, "Send an API key: Authorization: Bearer <API key>");
        return error.response()
                .header(HttpHeaders.WWW_AUTHENTICATE, authorization.challenge())
                .build();
    }

    private static Response tooMany(Decision decision, String why) {
        long seconds = decision.retryAfterSeconds();
        return new ApiError(ErrorCode.RATE_LIMIT_EXCEEDED, why + " Try again in " + seconds + " s.")
                .response()
                .header(HttpHeaders.RETRY_AFTER, seconds)
                .build();
    }

    private static boolean isApi(String path) {
        return path.equals(API) || path.startsWith(API + "/");
    }

    /** A request on its way through the gate. */
    private record Admission(ContainerRequestContext request, HttpServerRequest http, Authorization authorization) {}
}
