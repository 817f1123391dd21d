package dev.animalstore.operator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.animalstore.key.KeyDetails;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Decision.Window;
import dev.animalstore.quota.QuotaLimiter;
import java.time.Instant;

/**
 * A key as operators see it.
 *
 * @param shared whether usage and ban are those of all replicas, for the console; otherwise they are the local ones of this replica, because
 *     Redis is unavailable
 * @param usage its current quota
 * @param ban its ban, if it is banned
 * @param key its newest secret, only in the response that issues it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ManagedKey(
        @JsonUnwrapped KeyDetails details, @JsonIgnore boolean shared, Usage usage, Ban ban, String key) {

    ManagedKey(KeyDetails details, QuotaLimiter.State state) {
        this(
                details,
                state.shared(),
                new Usage(
                        new WindowUsage(state.decision().minute()),
                        new WindowUsage(state.decision().day())),
                state.decision().ban().map(Ban::new).orElse(null),
                details.issued() == null ? null : details.issued().reveal());
    }

    /** Without the secret, which must not be logged. */
    @Override
    public String toString() {
        return "ManagedKey[" + details.id() + "]";
    }

    /** Both windows of the quota. */
    public record Usage(WindowUsage minute, WindowUsage day) {}

    /** One window; if it is not open, {@code resetsAt} is when it would end if it opened now. */
    public record WindowUsage(int limit, int remaining, Instant resetsAt) {
        private WindowUsage(Window window) {
            this(window.limit(), window.remaining(), Instant.ofEpochMilli(window.resetMillis()));
        }
    }

    /**
     * A ban that is in force.
     *
     * @param level the number of the ban in a row, from 1
     * @param reason a sentence for people
     */
    public record Ban(Instant until, int level, String reason) {
        private Ban(Decision.Ban ban) {
            this(
                    Instant.ofEpochMilli(ban.untilMillis()),
                    ban.level(),
                    "The key kept sending requests after exceeding its quota.");
        }
    }
}
