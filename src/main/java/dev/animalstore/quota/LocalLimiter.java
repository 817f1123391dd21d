package dev.animalstore.quota;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Decision.Window;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.util.Optional;

/**
 * The rules of {@code quota.lua} in the memory of one replica, on its own clock. The number of subjects is bounded: the least used subject
 * is evicted first, together with its counts and bans.
 */
public final class LocalLimiter {
    /** How replicas share quotas. */
    @ConfigMapping(prefix = "animalstore")
    public interface Config {
        /**
         * The number of replicas, at least 1. A replica that limits locally admits this fraction of each limit, so a figure that is too low
         * admits too much then, and one that is too high too little.
         */
        @WithDefault("1")
        @Min(1)
        int replicas();
    }

    private final Clock clock;
    private final int replicas;
    private final Optional<BanConfig> bans;
    private final Cache<String, Usage> usages;

    /** Enforces the share of each limit that one of the replicas has. {@code bans} is empty if no subject is ever banned. */
    public LocalLimiter(Clock clock, int replicas, Optional<BanConfig> bans, long maximumSubjects) {
        this.clock = clock;
        this.replicas = replicas;
        this.bans = bans;
        // Maintenance runs on the calling thread; otherwise it would wake another thread after every 16 uses.
        usages = Caffeine.newBuilder()
                .maximumSize(maximumSubjects)
                .executor(Runnable::run)
                .build();
    }

    /**
     * Charges one request to both windows of a subject, or to neither.
     *
     * @param version a ban ends with the version that it was imposed on, since an operator may have lifted it
     */
    public Decision spend(String subject, Limits limits, long version) {
        return usages.get(subject, ignored -> new Usage()).decide(clock.millis(), limits, version, 1);
    }

    /** The current state of a subject's windows, without charging. */
    public Decision peek(String subject, Limits limits, long version) {
        Usage usage = usages.getIfPresent(subject);
        return (usage == null ? new Usage() : usage).decide(clock.millis(), limits, version, 0);
    }

    /** The state of a subject. The lock is held for a few additions only. The names are those of the script. */
    private final class Usage {
        private int minuteCount;
        private long minuteEnd;
        private int dayCount;
        private long dayEnd;
        private long strikes;
        private long strikesEnd;
        private long banEnd;
        private int banCount;
        private long bansForgotten;
        private long version;

        /** The windows admit this replica's share. Strikes count against the whole limit, which is the one that customers know. */
        synchronized Decision decide(long now, Limits limits, long current, int cost) {
            long freshMinuteEnd = now + Window.MINUTE.toMillis();
            long day = Window.DAY.toMillis();
            long midnight = (Math.floorDiv(now, day) + 1) * day;
            // After the clock was set back, no window ends later than one that starts now.
            minuteEnd = Math.min(minuteEnd, freshMinuteEnd);
            dayEnd = Math.min(dayEnd, midnight);
            correctBans(now, current);
            Limits share = limits.share(replicas);
            int usedInMinute = now < minuteEnd ? minuteCount : 0;
            int usedInDay = now < dayEnd ? dayCount : 0;
            boolean room = usedInMinute < share.perMinute() && usedInDay < share.perDay();
            Outcome outcome = room ? Outcome.ADMITTED : Outcome.REFUSED;
            if (now < banEnd) {
                outcome = Outcome.BANNED;
            }
            if (cost > 0) {
                // A refused request starts the day too, because the script counts it on that day.
                dayCount = usedInDay;
                dayEnd = midnight;
                if (outcome == Outcome.ADMITTED) {
                    minuteEnd = now < minuteEnd ? minuteEnd : freshMinuteEnd;
                    minuteCount = ++usedInMinute;
                    dayCount = ++usedInDay;
                } else if (outcome == Outcome.REFUSED && bans.isPresent() && strike(now, limits, bans.get())) {
                    outcome = Outcome.BANNED;
                }
            }
            long end = usedInMinute == 0 ? freshMinuteEnd : minuteEnd;
            return Decision.of(outcome, now, share, usedInMinute, end, usedInDay, midnight, banEnd, banCount);
        }

        /** Ends a ban of an earlier version, and clears the refusals and bans before it. None ends later than one that starts now. */
        private void correctBans(long now, long current) {
            if (version < current) {
                version = current;
                strikesEnd = 0;
                banEnd = 0;
                bansForgotten = 0;
            }
            if (bans.isPresent()) {
                banEnd = Math.min(banEnd, now + bans.get().longest().toMillis());
                bansForgotten = Math.min(
                        bansForgotten, now + bans.get().forgottenAfter().toMillis());
            }
        }

        /** Counts a refusal and returns whether it caused a ban. */
        private boolean strike(long now, Limits limits, BanConfig rules) {
            long window = rules.strikeWindow().toMillis();
            if (now >= strikesEnd || strikesEnd > now + window) {
                strikes = 0;
                strikesEnd = now + window;
            } else {
                strikes++;
            }
            if (strikes < Math.max(1, Math.round(limits.perMinute() * rules.strikesPerLimit()))) {
                return false;
            }
            if (now >= bansForgotten) {
                banCount = 0;
            }
            double length = Math.scalb((double) rules.first().toMillis(), banCount);
            banEnd = now + (long) Math.min(length, (double) rules.longest().toMillis());
            banCount++;
            bansForgotten = now + rules.forgottenAfter().toMillis();
            strikesEnd = 0;
            return true;
        }
    }
}
