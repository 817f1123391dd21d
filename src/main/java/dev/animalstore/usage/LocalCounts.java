package dev.animalstore.usage;

import dev.animalstore.quota.Activity;
import dev.animalstore.quota.DayCount;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/**
 * Stores the counts of this replica's local decisions exactly once. A failed addition is repeated with the same counts and the same number,
 * since its commit may have succeeded without a response.
 */
@Singleton
final class LocalCounts {
    private final Activity activity;
    private final UsageRepository usage;

    /** Identifies this process. */
    private final UUID replica = UUID.randomUUID();

    private List<DayCount> pending = List.of();
    private long number;

    LocalCounts(Activity activity, UsageRepository usage) {
        this.activity = activity;
        this.usage = usage;
    }

    /** Stores all counts. Counts that cannot be stored are kept for the next run. */
    synchronized void store() {
        for (prepare(); !pending.isEmpty(); prepare()) {
            usage.addOnce(replica, number, pending);
            pending = List.of();
        }
    }

    private void prepare() {
        if (pending.isEmpty()) {
            pending = activity.drainLocal(UsageRepository.BATCH);
            number++;
        }
    }
}
