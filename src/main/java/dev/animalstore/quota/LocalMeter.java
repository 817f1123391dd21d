package dev.animalstore.quota;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;

/**
 * The rules of {@code quota.lua} in the memory of one replica, on its own clock. Subjects are bounded in number; the one used least is
 * forgotten first, and with it what it spent.
 */
public final class LocalMeter {
    private final Clock clock;
    private final int replicas;
    private final Cache<String, Usage> usages;

    /**
     * @param clock tells the time
     * @param replicas how many replicas share each limit
     * @param maximumSubjects how many subjects are remembered; about 200 bytes each
     */
    public LocalMeter(Clock clock, int replicas, long maximumSubjects) {
        this.clock = clock;
        this.replicas = replicas;
        usages = Caffeine.newBuilder()
                .maximumSize(maximumSubjects)
                .expireAfterAccess(Window.DAY)
                .build();
    }

    /** Charges one request to both windows of a subject, or to neither. */
    public Decision spend(String subject, Limits limits) {
        return usages.get(subject, name -> new Usage()).decide(clock.millis(), limits.share(replicas), 1);
    }

    /** How the windows of a subject stand, without charging. */
    public Decision peek(String subject, Limits limits) {
        Usage usage = usages.getIfPresent(subject);
        return (usage == null ? new Usage() : usage).decide(clock.millis(), limits.share(replicas), 0);
    }

    /** Two counts and their ends. The lock is held for a few additions only. */
    private static final class Usage {
        private int minuteCount;
        private long minuteEnd;
        private int dayCount;
        private long dayEnd;

        synchronized Decision decide(long now, Limits limits, int cost) {
            long minuteMillis = Window.MINUTE.toMillis();
            if (now >= minuteEnd) {
                minuteCount = 0;
            }
            if (minuteCount == 0 || minuteEnd > now + minuteMillis) {
                minuteEnd = now + minuteMillis;
            }
            if (now >= dayEnd) {
                dayCount = 0;
            }
            long dayMillis = Window.DAY.toMillis();
            dayEnd = (Math.floorDiv(now, dayMillis) + 1) * dayMillis;

            boolean admitted = minuteCount < limits.perMinute() && dayCount < limits.perDay();
            if (admitted) {
                minuteCount += cost;
                dayCount += cost;
            }
            return new Decision(
                    admitted ? Decision.Outcome.ADMITTED : Decision.Outcome.REFUSED,
                    now,
                    Window.of(limits.perMinute(), minuteCount, minuteEnd),
                    Window.of(limits.perDay(), dayCount, dayEnd));
        }
    }
}
