package dev.animalstore.metering.quota;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.Decision.Window;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Clock;

/**
 * The windows of {@code quota.lua} in the memory of one replica. Nobody is banned: a share of the limit is refused sooner
 * than customers expect. The number of subjects is bounded: one that is used seldom is evicted first, together with its counts.
 */
public final class LocalLimiter {
    /** How replicas share quotas (docs/configuration.md). */
    @ConfigMapping(prefix = "animalstore")
    public interface Config {
        @WithDefault("1")
        @Min(1)
        int replicas();
    }

    private final Clock clock;
    private final int replicas;
    private final Cache<String, Usage> usages;

    /** Enforces the share of each limit that one of the replicas has. */
    public LocalLimiter(Clock clock, int replicas, long maximumSubjects) {
        this.clock = clock;
        this.replicas = replicas;
        // Maintenance runs on the calling thread; otherwise it would wake another thread after every 16 uses.
        usages = Caffeine.newBuilder()
                .maximumSize(maximumSubjects)
                .executor(Runnable::run)
                .build();
    }

    /** Charges one request to both windows of a subject, or to neither. */
    public Decision spend(String subject, Quota limits) {
        return usages.get(subject, ignored -> new Usage()).decide(clock.millis(), limits.share(replicas), true);
    }

    /** The current state of a subject's windows, without charging. */
    public Decision peek(String subject, Quota limits) {
        Usage usage = usages.getIfPresent(subject);
        return (usage == null ? new Usage() : usage).decide(clock.millis(), limits.share(replicas), false);
    }

    /** The state of a subject. The lock is held for a few additions only. The names are those of the script. */
    private static final class Usage {
        private int minuteCount;
        private long minuteEnd;
        private int dayCount;
        private long dayEnd;

        synchronized Decision decide(long now, Quota share, boolean charged) {
            long freshMinuteEnd = now + Window.MINUTE.toMillis();
            long day = Window.DAY.toMillis();
            long midnight = (Math.floorDiv(now, day) + 1) * day;
            // After the clock was set back, no window ends later than one that starts now.
            minuteEnd = Math.min(minuteEnd, freshMinuteEnd);
            dayEnd = Math.min(dayEnd, midnight);
            int usedInMinute = now < minuteEnd ? minuteCount : 0;
            int usedInDay = now < dayEnd ? dayCount : 0;
            boolean room = usedInMinute < share.perMinute() && usedInDay < share.perDay();
            if (charged) {
                // A refused request starts the day too, because the script counts it on that day.
                dayCount = usedInDay + (room ? 1 : 0);
                dayEnd = midnight;
                if (room) {
                    minuteEnd = now < minuteEnd ? minuteEnd : freshMinuteEnd;
                    minuteCount = ++usedInMinute;
                    usedInDay++;
                }
            }
            long end = usedInMinute == 0 ? freshMinuteEnd : minuteEnd;
            Outcome outcome = room ? Outcome.ADMITTED : Outcome.REFUSED;
            return Decision.of(outcome, now, share, usedInMinute, end, usedInDay, midnight, 0, 0, false);
        }
    }
}
