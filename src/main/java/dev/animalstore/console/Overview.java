package dev.animalstore.console;

import dev.animalstore.usage.UsageTotals.KeyTotal;
import dev.animalstore.usage.UsageTotals.PlanTotal;
import java.time.LocalDate;
import java.util.List;

/**
 * How things stand with all keys.
 *
 * @param shared whether quotas are shared in Redis; otherwise each replica meters alone, and the bans are those of this replica
 * @param bans the keys that are banned at present, those included that were not collected yet by 20 seconds ago
 * @param totals sums of usage; {@code null} if they cannot be had
 */
record Overview(boolean shared, List<KeyView> bans, Totals totals) {
    /**
     * Sums of usage over some days.
     *
     * @param plans by plan
     * @param mostAdmitted the keys that were used most
     * @param mostRefused the keys that were refused most
     */
    record Totals(
            LocalDate from,
            LocalDate to,
            List<PlanTotal> plans,
            List<KeyTotal> mostAdmitted,
            List<KeyTotal> mostRefused) {

        /** What the columns of the plans are compared with. */
        public long most() {
            return plans.stream().mapToLong(PlanTotal::admitted).max().orElse(1);
        }
    }
}
