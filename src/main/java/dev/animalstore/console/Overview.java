package dev.animalstore.console;

import dev.animalstore.usage.UsageTotals.KeyTotal;
import dev.animalstore.usage.UsageTotals.PlanTotal;
import java.time.LocalDate;
import java.util.List;

/**
 * The state of all keys.
 *
 * @param shared whether quotas are shared in Redis; otherwise each replica enforces its share locally, and the bans are those of this replica
 * @param bans the keys that are currently banned, except bans that were not collected yet, for up to 20 seconds
 * @param totals sums of usage; {@code null} if unavailable
 */
record Overview(boolean shared, List<KeyView> bans, Totals totals) {
    /**
     * Sums of usage over some days.
     *
     * @param plans by plan
     * @param mostAdmitted the keys with the most admitted requests
     * @param mostRefused the keys with the most refused requests
     */
    record Totals(
            LocalDate from,
            LocalDate to,
            List<PlanTotal> plans,
            List<KeyTotal> mostAdmitted,
            List<KeyTotal> mostRefused) {

        /** The number of requests that a full bar of a plan stands for. */
        public long most() {
            return plans.stream().mapToLong(PlanTotal::admitted).max().orElse(1);
        }
    }
}
