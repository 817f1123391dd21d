package dev.animalstore.quota;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.animalstore.quota.Decision.Outcome;
import java.time.Clock;
import java.util.Optional;

/**
 * The rules of {@code quota.lua} in the memory of one replica, on its own clock. The number of subjects is bounded: the least used subject
 * is evicted first, together with its counts.
 */
public final class LocalLimiter {
    private final Clock clock;
    private final int replicas;
    private final Optional<BanConfig> bans;
    private final Cache<String, Usage> usages;

    /**
     * @param clock tells the time
     * @param replicas how many replicas share each limit
     * @param bans when subjects are banned; empty if never
     * @param maximumSubjects the maximum number of subjects in memory
     */
    public LocalLimiter(Clock clock, int replicas, Optional<BanConfig> bans, long maximumSubjects) {
        this.clock = clock;
        this.replicas = replicas;
        this.bans = bans;
        // Maintenance runs on the calling thread; otherwise it would wake another thread after every 16 uses.
        usages = Caffeine.newBuilder()
                .maximumSize(maximumSubjects)
                .expireAfterAccess(Window.DAY)
                .executor(Runnable::run)
                .build();
    }

    /** Charges one request to both windows of a subject, or to neither. */
    public Decision spend(String subject, Limits limits) {
        return usages.get(subject, ignored -> new Usage()).decide(clock.millis(), limits, replicas, bans, 1);
    }

    /** The current state of a subject's windows, without charging. */
    public Decision peek(String subject, Limits limits) {
        Usage usage = usages.getIfPresent(subject);
        return (usage == null ? new Usage() : usage).decide(clock.millis(), limits, replicas, bans, 0);
    }

    /** Ends a subject's ban and clears its refusals and bans, unless that version or a newer one has already done so. */
    void liftBan(String subject, long version) {
        usages.get(subject, ignored -> new Usage()).liftBan(version);
    }

    /** The number of subjects in memory, after eviction. */
    long subjects() {
        usages.cleanUp();
        return usages.estimatedSize();
    }

    /** The state of a subject. The lock is held for a few additions only. The names are those of the script. */
    private static final class Usage {
        private int minuteCount;
        private long minuteEnd;
        private int dayCount;
        private long dayEnd;
        private long strikes;
        private long strikesEnd;
        private long banEnd;
        private int banCount;
        private long bansForgotten;
        private long liftedBy;

        /** The windows admit this replica's share. Strikes count against the whole limit, which is the one that customers know. */
        synchronized Decision decide(long now, Limits limits, int replicas, Optional<BanConfig> bans, int cost) {
            correct(now, bans);
            Limits share = limits.share(replicas);
            boolean minuteOpen = now < minuteEnd;
            int minute = minuteOpen ? minuteCount : 0;
            // A refused request starts the day too, because the script counts it on that day.
            if (cost > 0 && now >= dayEnd) {
                dayCount = 0;
                dayEnd = midnightAfter(now);
            }
            int day = now < dayEnd ? dayCount : 0;
            Outcome outcome = outcome(now, share, minute, day);
            if (outcome == Outcome.ADMITTED && cost > 0) {
                minute++;
                day++;
                minuteCount = minute;
                minuteEnd = minuteOpen ? minuteEnd : freshMinuteEnd(now);
                dayCount = day;
            }
            if (outcome == Outcome.REFUSED && cost > 0 && bans.isPresent() && strike(now, limits, bans.get())) {
                outcome = Outcome.BANNED;
            }
            long end = minute == 0 ? freshMinuteEnd(now) : minuteEnd;
            return Decision.of(outcome, now, share, minute, end, day, midnightAfter(now), banEnd, banCount);
        }

        synchronized void liftBan(long version) {
            if (version <= liftedBy) {
                return;
            }
            liftedBy = version;
            strikesEnd = 0;
            banEnd = 0;
            bansForgotten = 0;
        }

        /** After the clock was set back, no window or ban ends later than one that starts now. */
        private void correct(long now, Optional<BanConfig> bans) {
            minuteEnd = Math.min(minuteEnd, freshMinuteEnd(now));
            dayEnd = Math.min(dayEnd, midnightAfter(now));
            bans.ifPresent(rules -> {
                banEnd = Math.min(banEnd, now + rules.longest().toMillis());
                bansForgotten =
                        Math.min(bansForgotten, now + rules.forgottenAfter().toMillis());
            });
        }

        private Outcome outcome(long now, Limits share, int minute, int day) {
            if (now < banEnd) {
                return Outcome.BANNED;
            }
            boolean room = minute < share.perMinute() && day < share.perDay();
            return room ? Outcome.ADMITTED : Outcome.REFUSED;
        }

        private static long freshMinuteEnd(long now) {
            return now + Window.MINUTE.toMillis();
        }

        private static long midnightAfter(long now) {
            long day = Window.DAY.toMillis();
            return (Math.floorDiv(now, day) + 1) * day;
        }

        /** Counts a refusal and returns whether it caused a ban. */
        private boolean strike(long now, Limits limits, BanConfig bans) {
            long window = bans.strikeWindow().toMillis();
            if (now >= strikesEnd || strikesEnd > now + window) {
                strikes = 0;
                strikesEnd = now + window;
            } else {
                strikes++;
            }
            if (strikes < bans.strikes(limits)) {
                return false;
            }
            if (now >= bansForgotten) {
                banCount = 0;
            }
            double length = Math.scalb((double) bans.first().toMillis(), banCount);
            banEnd = now + (long) Math.min(length, (double) bans.longest().toMillis());
            banCount++;
            bansForgotten = now + bans.forgottenAfter().toMillis();
            strikesEnd = 0;
            return true;
        }
    }
}
