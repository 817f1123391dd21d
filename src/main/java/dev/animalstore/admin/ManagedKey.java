package dev.animalstore.admin;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.animalstore.key.KeyDetails;
import dev.animalstore.key.KeyDetails.SecretDetails;
import dev.animalstore.key.KeyLimits;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.QuotaState;
import dev.animalstore.quota.Window;
import java.time.Instant;
import java.util.List;

/**
 * A key as operators see it.
 *
 * @param version as in {@link KeyDetails}, so that the console changes only the version that it showed
 * @param shared whether usage and ban are those of all replicas, for the console; otherwise they are the local ones of this replica, because
 *     Redis is unavailable
 * @param usage its current quota
 * @param ban its ban, if it is banned
 * @param key its newest secret, only in the response that issues it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ManagedKey(
        long id,
        @JsonIgnore long version,
        @JsonIgnore boolean shared,
        String owner,
        String plan,
        KeyLimits limits,
        @JsonInclude Instant createdAt,
        @JsonInclude Instant expiresAt,
        @JsonInclude Instant revokedAt,
        @JsonInclude Instant lastUsedAt,
        List<SecretDetails> secrets,
        Usage usage,
        Ban ban,
        String key) {

    /** Both windows of the quota. */
    public record Usage(WindowUsage minute, WindowUsage day) {}

    /** One window; if it is not open, {@code resetsAt} is when it would end if it opened now. */
    public record WindowUsage(int limit, int remaining, Instant resetsAt) {
        static WindowUsage of(Window window) {
            return new WindowUsage(window.limit(), window.remaining(), Instant.ofEpochMilli(window.resetMillis()));
        }
    }

    /**
     * A ban that is in force.
     *
     * @param level the number of the ban in a row, from 1
     * @param reason a sentence for people
     */
    public record Ban(Instant until, int level, String reason) {
        private static final String REASON = "The key kept sending requests after exceeding its quota.";

        static Ban of(Decision.Ban ban) {
            return new Ban(Instant.ofEpochMilli(ban.untilMillis()), ban.level(), REASON);
        }
    }

    /** Without the secret, which must not be logged. */
    @Override
    public String toString() {
        return "ManagedKey[" + id + "]";
    }

    static ManagedKey of(KeyDetails details, QuotaState state, String secret) {
        Decision decision = state.decision();
        return new ManagedKey(
                details.id(),
                details.version(),
                state.shared(),
                details.owner(),
                details.plan(),
                details.limits(),
                details.createdAt(),
                details.expiresAt(),
                details.revokedAt(),
                details.lastUsedAt(),
                details.secrets(),
                new Usage(WindowUsage.of(decision.minute()), WindowUsage.of(decision.day())),
                decision.ban().map(Ban::of).orElse(null),
                secret);
    }
}
