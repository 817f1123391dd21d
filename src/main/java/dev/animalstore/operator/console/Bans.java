package dev.animalstore.operator.console;

import dev.animalstore.metering.quota.BanConfig;
import dev.animalstore.metering.usage.UsageReports;
import dev.animalstore.operator.KeyOperations;
import dev.animalstore.operator.ManagedKey;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** Finds the keys that are banned, which only Redis knows, without asking it about every key. */
@Singleton
class Bans {
    /** The maximum number of keys whose ban is queried: about 100 ms. */
    private static final int MOST_SUSPECTS = 1000;

    private final KeyOperations keys;
    private final UsageReports usage;
    private final BanConfig config;

    Bans(KeyOperations keys, UsageReports usage, BanConfig config) {
        this.keys = keys;
        this.usage = usage;
        this.config = config;
    }

    /** Runs as a report. */
    Found find(Instant now) {
        // Every banned key had requests refused since its ban began, so its usage shows it soon.
        LocalDate first = LocalDate.ofInstant(now.minus(config.longest()), ZoneOffset.UTC);
        List<Long> suspects = usage.banned(first, LocalDate.ofInstant(now, ZoneOffset.UTC), MOST_SUSPECTS + 1);
        List<ManagedKey> checked = keys.list(suspects.subList(0, Math.min(suspects.size(), MOST_SUSPECTS)));
        // Decided by the responses, since the circuit breaker does not know yet that Redis has just begun to hang.
        boolean shared = checked.stream().allMatch(ManagedKey::shared) && keys.areQuotasShared();
        List<KeyView> banned = KeyView.list(checked, now).stream()
                .filter(view -> view.state().equals(KeyView.BANNED))
                .toList();
        return new Found(banned, shared, suspects.size() <= MOST_SUSPECTS);
    }

    /** Banned keys; whether their bans are those of all replicas; and whether all keys that may be banned were checked. */
    record Found(List<KeyView> keys, boolean shared, boolean complete) {}
}
