package dev.animalstore.metering.gate;

import dev.animalstore.metering.key.CachedKey;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.web.error.ErrorCode;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/**
 * The gate's verdict on a request, which the log and the metrics report too.
 *
 * @param key the request's key; {@code null} if it has no valid one, or none that could be checked
 * @param quota what the response shows: of the key, or of the address if there is no key
 * @param retryAfterSeconds at least 1 if the request exceeds a limit, otherwise 0
 * @param refusal the response if the request ends here; {@code null} if it continues, or if the exception mappers respond
 * @param ended the key that was sent and has ended, for the log only; {@code null} if there is none
 */
record Verdict(
        CachedKey key, Decision quota, Outcome outcome, long retryAfterSeconds, Refusal refusal, CachedKey ended) {
    enum Outcome {
        ADMITTED,
        UNAUTHORIZED,
        REFUSED,
        BANNED,
        /** The key cannot be checked. The exception mappers respond, usually with 503. */
        FAILED;

        private final String text = name().toLowerCase(Locale.ROOT);

        @Override
        public String toString() {
            return text;
        }
    }

    static Verdict unauthorized(Decision quota, Refusal refusal) {
        return new Verdict(null, quota, Outcome.UNAUTHORIZED, 0, refusal, null);
    }

    static Verdict failed(Decision quota) {
        return new Verdict(null, quota, Outcome.FAILED, 0, null, null);
    }

    static Verdict of(CachedKey key, Decision decision) {
        return switch (decision.outcome()) {
            case ADMITTED -> new Verdict(key, decision, Outcome.ADMITTED, 0, null, null);
            case BANNED -> {
                String why =
                        "This API key is temporarily banned because it kept sending requests after exceeding its quota.";
                long seconds = decision.retryAfterSeconds();
                Refusal refusal = Refusal.tooMany(ErrorCode.KEY_BANNED, why, seconds);
                yield new Verdict(key, decision, Outcome.BANNED, seconds, refusal, null);
            }
            case REFUSED -> {
                String window = decision.binding().equals(decision.day()) ? "day" : "minute";
                yield refused(key, decision, decision.retryAfterSeconds(), "The per-" + window + " quota is exceeded.");
            }
        };
    }

    /** A limit is exceeded: of a key, or of an address without a valid key. {@code why} is a sentence for the client. */
    static Verdict refused(CachedKey key, Decision quota, long retryAfterSeconds, String why) {
        Refusal refusal = Refusal.tooMany(ErrorCode.RATE_LIMIT_EXCEEDED, why, retryAfterSeconds);
        return new Verdict(key, quota, Outcome.REFUSED, retryAfterSeconds, refusal, null);
    }

    Verdict withEnded(CachedKey ended) {
        return new Verdict(key, quota, outcome, retryAfterSeconds, refusal, ended);
    }

    String keyId() {
        CachedKey sent = key == null ? ended : key;
        return sent == null ? "none" : Long.toString(sent.id());
    }

    String plan() {
        return key == null ? "none" : key.plan();
    }

    boolean hasRotatedSecret() {
        return key != null && key.isSecretRotated();
    }

    void record(RoutingContext exchange) {
        exchange.put(Verdict.class.getName(), this);
    }

    /** The verdict on an exchange; {@code null} if there is none. */
    static Verdict on(RoutingContext exchange) {
        return exchange.get(Verdict.class.getName());
    }
}
