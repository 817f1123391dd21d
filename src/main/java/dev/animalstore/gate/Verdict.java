package dev.animalstore.gate;

import dev.animalstore.error.ApiError;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.key.CachedKey;
import dev.animalstore.quota.Decision;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** The gate's verdict on a request, which the log and the metrics report too. */
sealed interface Verdict {
    List<String> OUTCOMES = List.of("admitted", "unauthorized", "refused", "banned", "failed");

    /** The request's key; {@code null} if it has no valid one, or none that could be checked. */
    default CachedKey key() {
        return null;
    }

    /** The quota that the response shows: of the key, or of the address if there is no key. */
    Decision quota();

    /** The verdict in one word, one of {@link #OUTCOMES}. */
    String outcome();

    default String keyId() {
        return key() == null ? "none" : Long.toString(key().id());
    }

    default String plan() {
        return key() == null ? "none" : key().plan();
    }

    /** The response if the request ends here, with JSON as it is sent; {@code null} if it continues, or if the exception mappers respond. */
    default Response response() {
        return null;
    }

    default void record(RoutingContext exchange) {
        exchange.put(Verdict.class.getName(), this);
    }

    /** The verdict on a request that was decided by the quota of its key. */
    static Verdict of(CachedKey key, Decision decision) {
        return switch (decision.outcome()) {
            case ADMITTED -> new Admitted(key, decision);
            case BANNED -> new Banned(key, decision);
            case REFUSED -> {
                String window = decision.binding().equals(decision.day()) ? "day" : "minute";
                yield new Refused(
                        key, decision, decision.retryAfterSeconds(), "The per-" + window + " quota is exceeded.");
            }
        };
    }

    /** The verdict on an exchange; {@code null} if there is none. */
    static Verdict on(RoutingContext exchange) {
        return exchange.get(Verdict.class.getName());
    }

    record Admitted(CachedKey key, Decision quota) implements Verdict {
        @Override
        public String outcome() {
            return "admitted";
        }
    }

    record Unauthorized(Decision quota, Response response) implements Verdict {
        @Override
        public String outcome() {
            return "unauthorized";
        }
    }

    /** The quota is exceeded. {@code why} is the message for the client, which is followed by the time after which to retry. */
    record Refused(CachedKey key, Decision quota, long retryAfterSeconds, String why) implements Verdict {
        @Override
        public String outcome() {
            return "refused";
        }

        @Override
        public Response response() {
            return tooMany(ErrorCode.RATE_LIMIT_EXCEEDED, retryAfterSeconds, why);
        }
    }

    record Banned(CachedKey key, Decision quota) implements Verdict {
        @Override
        public String outcome() {
            return "banned";
        }

        @Override
        public Response response() {
            return tooMany(
                    ErrorCode.KEY_BANNED,
                    quota.retryAfterSeconds(),
                    "This API key is temporarily banned because it kept sending requests after exceeding its quota.");
        }
    }

    /** The key cannot be checked. The exception mappers respond, usually with 503. */
    record Unavailable(Decision quota, Throwable cause) implements Verdict {
        @Override
        public String outcome() {
            return "failed";
        }
    }

    private static Response tooMany(ErrorCode code, long retryAfterSeconds, String why) {
        return Response.status(code.status())
                .header(HttpHeaders.RETRY_AFTER, Long.toString(retryAfterSeconds))
                .entity(new ApiError(code, why + " Retry in " + retryAfterSeconds + " s.").json())
                .build();
    }
}
