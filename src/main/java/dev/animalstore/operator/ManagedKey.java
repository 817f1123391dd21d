package dev.animalstore.operator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.animalstore.metering.key.ApiKey;
import dev.animalstore.metering.key.BearerKey;
import dev.animalstore.metering.key.Plan;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.metering.quota.QuotaView;
import java.time.Instant;
import java.util.List;

/**
 * An {@link ApiKey} as operators see it.
 *
 * @param version raised by every change; the console changes only the version that it showed
 * @param shared whether usage and ban are those of all replicas, for the console; otherwise they are the local ones of this replica, because
 *     Redis is unavailable
 * @param lateSeconds within how many seconds other replicas obey the latest change, for the console; 0, which is from the next request on,
 *     unless Redis is unavailable or has not confirmed the change that this is the response to
 * @param ban {@code null} if it is not banned
 * @param found the identifier of the secret that it was found by, for the console; 0 if it was not
 * @param secretEndedAt since when that secret does not work, for itself; {@code null} if it works
 * @param key its newest secret, only in the response that issues it
 */
public record ManagedKey(
        long id,
        String owner,
        String plan,
        Plan.Limits limits,
        @JsonIgnore long version,
        Instant createdAt,
        Instant expiresAt,
        Instant suspendedAt,
        Instant revokedAt,
        Instant lastUsedAt,
        List<Secret> secrets,
        @JsonIgnore boolean shared,
        @JsonIgnore long lateSeconds,
        QuotaView usage,
        @JsonInclude(JsonInclude.Include.NON_NULL) QuotaView.Ban ban,
        @JsonIgnore long found,
        @JsonInclude(JsonInclude.Include.NON_NULL) Instant secretEndedAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) String key) {

    /**
     * @param issued the secret that was just added, or {@code null}
     * @param found the secret that it was found by, or {@code null}
     */
    ManagedKey(ApiKey stored, BearerKey issued, Decision state, long lateSeconds, ApiKey.Secret found) {
        this(
                stored.id,
                stored.owner,
                stored.plan.name,
                stored.limits(),
                stored.version,
                stored.createdAt,
                stored.expiresAt,
                stored.suspendedAt,
                stored.revokedAt,
                stored.lastUsedAt,
                stored.secrets.stream().map(Secret::new).toList(),
                state.shared(),
                lateSeconds,
                QuotaView.of(state),
                QuotaView.Ban.of(state),
                found == null ? 0 : found.id,
                found == null ? null : found.endedAt(),
                issued == null ? null : issued.reveal());
    }

    /** Without the secret, which must not be logged. */
    @Override
    public String toString() {
        return "ManagedKey[" + id + "]";
    }

    /** A secret: its last four characters before the check, and the end of its grace period, {@code null} for the current one. */
    public record Secret(String hint, Instant createdAt, Instant expiresAt) {
        private Secret(ApiKey.Secret stored) {
            this(stored.hint, stored.createdAt, stored.expiresAt);
        }
    }
}
