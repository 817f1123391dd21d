package dev.animalstore.console;

import dev.animalstore.admin.ManagedKey.WindowUsage;
import java.time.Instant;
import java.util.Locale;

/**
 * The used part of a quota window, as a bar.
 *
 * @param used the number of admitted requests
 * @param limit the maximum number of requests
 * @param resetsAt when the window ends, or would end if it opened now
 */
record Bar(int used, int limit, Instant resetsAt) {
    private static final double ALL = 100;
    private static final double MOST = 80;

    static Bar of(WindowUsage window) {
        return new Bar(window.limit() - window.remaining(), window.limit(), window.resetsAt());
    }

    /** The used part, in percent with one decimal. */
    public String percent() {
        return String.format(Locale.ROOT, "%.1f", share());
    }

    /** The style of the bar: {@code some}, {@code most} or {@code all}. */
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
