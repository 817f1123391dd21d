package dev.animalstore.gate;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.BearerKey;
import dev.animalstore.key.KeyConfig;
import dev.animalstore.key.KeyDirectory;
import dev.animalstore.key.KnownKey;
import dev.animalstore.key.LastUse;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Decision.Outcome;
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
import java.time.Instant;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Decides on every request under {@code /v1}, in this order: is there a well-formed key (no I/O), is it known and usable (memory, or one
 * query), has it quota left (one round trip to Redis). It runs before matching, on the path that will be matched, and never blocks.
 */
@ApplicationScoped
class GateFilter {
    private static final String API = "/v1";

    /** A key can be changed again while it is read again, though hardly three times in a row. */
    private static final int MAXIMUM_TRIES = 3;

    private final KeyConfig config;
    private final KeyDirectory directory;
    private final QuotaMeter meter;
    private final LastUse lastUse;
    private final FailedAuthentication failures;
    private final RotatedSecrets rotated;
    private final Clock clock;

    GateFilter(
            KeyConfig config,
            KeyDirectory directory,
            QuotaMeter meter,
            LastUse lastUse,
            FailedAuthentication failures,
            RotatedSecrets rotated,
            Clock clock) {
        this.config = config;
        this.directory = directory;
        this.meter = meter;
        this.lastUse = lastUse;
        this.failures = failures;
        this.rotated = rotated;
        this.clock = clock;
    }

    /** Lets a request pass (no response) or refuses it. */
    @ServerRequestFilter(preMatching = true)
    Uni<Response> admit(ContainerRequestContext request, RoutingContext exchange) {
        if (!isApi(request.getUriInfo().getPath()) || CrossOrigin.isPreflight(exchange)) {
            return Uni.createFrom().nullItem();
        }
        HttpServerRequest http = exchange.request();
        Authorization authorization =
                Authorization.parse(http.headers().getAll(HttpHeaders.AUTHORIZATION), config.environment());
        Admission admission = new Admission(request, http, authorization);
        return authorization
                .key()
                .map(key -> admitKey(admission, key, 1))
                .orElseGet(() -> Uni.createFrom().item(unauthorized(admission)));
    }

    private Uni<Response> admitKey(Admission admission, BearerKey key, int attempt) {
        return Uni.createFrom()
                .completionStage(directory.find(key.hash()))
                .onFailure()
                .invoke(failure -> showBudget(admission))
                .chain(found -> spend(admission, key, found, attempt));
    }

    private Uni<Response> spend(Admission admission, BearerKey key, Optional<KnownKey> found, int attempt) {
        Instant now = clock.instant();
        Optional<KnownKey> usable = found.filter(known -> known.usableAt(now));
        if (usable.isEmpty()) {
            return found.filter(known -> known.revivableAt(now))
                    .map(expired -> askForChange(admission, key, expired, attempt))
                    .orElseGet(() -> Uni.createFrom().item(unauthorized(admission)));
        }
        KnownKey known = usable.get();
        Limits limits = new Limits(known.perMinute(), known.perDay());
        return meter.spend(known.id(), limits, known.version()).chain(decision -> {
            if (decision.outcome() == Outcome.STALE) {
                return askAgain(admission, key, attempt);
            }
            QuotaHeaders.write(decision, admission.http().response().headers());
            rotated.note(known, admission.request());
            return Uni.createFrom().item(decided(admission, known, decision));
        });
    }

    /** The key has expired as far as is known here; an operator may have moved its end, which must hold at once. */
    private Uni<Response> askForChange(Admission admission, BearerKey key, KnownKey expired, int attempt) {
        return meter.isOutdated(expired.id(), expired.version())
                .chain(outdated -> outdated
                        ? askAgain(admission, key, attempt)
                        : Uni.createFrom().item(unauthorized(admission)));
    }

    /** The key was changed since it was read: it is read anew, and the quota is asked with what it is now. */
    private Uni<Response> askAgain(Admission admission, BearerKey key, int attempt) {
        if (attempt == MAXIMUM_TRIES) {
            showBudget(admission);
            throw new ApiException(ErrorCode.SERVICE_UNAVAILABLE, "The API key is being changed. Try again.");
        }
        directory.forget(key.hash());
        return admitKey(admission, key, attempt + 1);
    }

    private Response decided(Admission admission, KnownKey key, Decision decision) {
        return switch (decision.outcome()) {
            case ADMITTED -> {
                lastUse.note(key.id());
                admission
                        .request()
                        .setSecurityContext(new Caller(key, admission.http().isSSL()));
                yield null;
            }
            case BANNED ->
                tooMany(
                        ErrorCode.KEY_BANNED,
                        decision,
                        "The API key is banned for going on after its quota was spent.");
            default -> {
                String window = decision.binding().equals(decision.day()) ? "day" : "minute";
                yield tooMany(ErrorCode.RATE_LIMIT_EXCEEDED, decision, "The quota of this " + window + " is spent.");
            }
        };
    }

    private Response unauthorized(Admission admission) {
        Decision budget = failures.charge(admission.http().remoteAddress());
        QuotaHeaders.write(budget, admission.http().response().headers());
        if (budget.outcome() == Outcome.REFUSED) {
            String why = "Too many requests without a valid API key came from this address.";
            return tooMany(ErrorCode.RATE_LIMIT_EXCEEDED, budget, why);
        }
        Authorization authorization = admission.authorization();
        ApiError error = authorization.given()
                ? new ApiError(ErrorCode.INVALID_API_KEY, "The API key is not valid.")
                : new ApiError(ErrorCode.MISSING_API_KEY, "Send an API key: Authorization: Bearer <API key>");
        return error.response()
                .header(HttpHeaders.WWW_AUTHENTICATE, authorization.challenge())
                .build();
    }

    /** Where nobody can say whose request it is, the headers show the address's budget, which is not charged. */
    private void showBudget(Admission admission) {
        QuotaHeaders.write(
                failures.peek(admission.http().remoteAddress()),
                admission.http().response().headers());
    }

    private static Response tooMany(ErrorCode code, Decision decision, String why) {
        long seconds = decision.retryAfterSeconds();
        return new ApiError(code, why + " Try again in " + seconds + " s.")
                .response()
                .header(HttpHeaders.RETRY_AFTER, seconds)
                .build();
    }

    static boolean isApi(String path) {
        return path.equals(API) || path.startsWith(API + "/");
    }

    /** A request on its way through the gate. */
    private record Admission(ContainerRequestContext request, HttpServerRequest http, Authorization authorization) {}
}
