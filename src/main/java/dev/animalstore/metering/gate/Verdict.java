package dev.animalstore.metering.gate;

import dev.animalstore.metering.key.CachedKey;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.RequestLog;
import java.util.List;
import java.util.function.BiConsumer;

/** The gate's verdict on a request, which the log and the metrics report too. */
sealed interface Verdict extends RequestLog.Details {
    String NONE = "none";

    List<String> OUTCOMES = List.of("admitted", "shown", "unauthorized", "refused", "banned", "failed");

    /** What the response shows: the quota of the key, or the limit of the address if there is no key. */
    Decision quota();

    /** One of {@link #OUTCOMES}. */
    String outcome();

    /** The request's key; {@code null} if it has no valid one, or none that could be checked. */
    default CachedKey key() {
        return null;
    }

    /** The key that was sent and has ended, for the log only; {@code null} if there is none. */
    default CachedKey ended() {
        return null;
    }

    /** The response if the gate ends the request; otherwise {@code null}. */
    default Refusal refusal() {
        return null;
    }

    /** At least 1 if the request exceeds a limit, otherwise 0. */
    default long retryAfterSeconds() {
        return 0;
    }

    default String plan() {
        return key() == null ? NONE : key().plan();
    }

    default boolean hasRotatedSecret() {
        return key() != null && key().isSecretRotated();
    }

    @Override
    default void describe(BiConsumer<String, String> member) {
        CachedKey sent = ended() == null ? key() : ended();
        member.accept("key", sent == null ? NONE : Long.toString(sent.id()));
        member.accept("plan", plan());
        member.accept("outcome", outcome());
        if (ended() != null) {
            member.accept("ended", ended().ending());
        }
        if (hasRotatedSecret()) {
            // So that operators see who has not switched.
            member.accept("secret", "rotated");
        }
    }

    /** The verdict that a decision on the quota of a valid key is. */
    static Verdict of(CachedKey key, Decision quota) {
        return switch (quota.outcome()) {
            case ADMITTED -> new Admitted(key, quota);
            case BANNED -> new Banned(key, quota);
            case REFUSED -> {
                String window = quota.binding().equals(quota.day()) ? "day" : "minute";
                yield new Refused(
                        key, quota, quota.retryAfterSeconds(), "The per-" + window + " quota is exceeded.", null);
            }
        };
    }

    record Admitted(CachedKey key, Decision quota) implements Verdict {
        @Override
        public String outcome() {
            return "admitted";
        }
    }

    /** The key may see itself. Nothing was charged, whatever the quota is. */
    record Shown(CachedKey key, Decision quota) implements Verdict {
        @Override
        public String outcome() {
            return "shown";
        }
    }

    /** There is no valid key. */
    record Unauthorized(Decision quota, Refusal refusal, CachedKey ended) implements Verdict {
        @Override
        public String outcome() {
            return "unauthorized";
        }
    }

    /** A limit is exceeded: of a key, or of an address without a valid one. {@code why} is a sentence for the client. */
    record Refused(CachedKey key, Decision quota, long retryAfterSeconds, String why, CachedKey ended)
            implements Verdict {
        @Override
        public String outcome() {
            return "refused";
        }

        @Override
        public Refusal refusal() {
            return Refusal.tooMany(ErrorCode.RATE_LIMIT_EXCEEDED, why, retryAfterSeconds);
        }
    }

    record Banned(CachedKey key, Decision quota) implements Verdict {
        @Override
        public String outcome() {
            return "banned";
        }

        @Override
        public long retryAfterSeconds() {
            return quota.retryAfterSeconds();
        }

        @Override
        public Refusal refusal() {
            String why =
                    "This API key is temporarily banned because it kept sending requests after exceeding its quota.";
            return Refusal.tooMany(ErrorCode.KEY_BANNED, why, retryAfterSeconds());
        }
    }

    /** The key cannot be checked. The exception mappers respond to the cause, usually with 503. */
    record Unavailable(Decision quota, Throwable cause) implements Verdict {
        @Override
        public String outcome() {
            return "failed";
        }
    }
}
