package dev.animalstore.console;

import dev.animalstore.admin.ManagedKey.WindowUsage;
import java.time.Instant;
import java.util.Locale;

/**
 * How much of a window of a quota is used up.
 *
 * @param used requests that were admitted
 * @param limit how many may be
 * @param resetsAt when the window ends, or would end if it were opened now
 */
record Bar(int used, int limit, Instant resetsAt) {
    private static final double ALL = 100;
    private static final double MOST = 80;

    static Bar of(WindowUsage window) {
        return new Bar(window.limit() - window.remaining(), window.limit(), window.resetsAt());
    }

    /** The part that is used, in percent with one decimal. */
    public String percent() {
        return String.format(Locale.ROOT, "%.1f", share());
    }

    /** How the part is to be seen: {@code some}, {@code most} or {@code all}. */
    public String level() {
        if (used >= limit) {
            return "all";
        }
        return share() >= MOST ? "most" : "some";
    }

    private double share() {
        return ALL * used / limit;
    }
}
