package dev.animalstore.metering.quota;

import dev.animalstore.metering.quota.Decision.Ban;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.Decision.Window;
import dev.animalstore.metering.quota.Reply.Outdated;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The contract of quotas and bans for one subject, in the simplest form, neither fast nor shared. The script is compared with it, so they
 * have no code in common.
 */
final class QuotaModel {
    private final BanConfig rules;
    private long version;
    private Instant minuteEnd = Instant.MIN;
    private int inMinute;
    private LocalDate day = LocalDate.MIN;
    private int inDay;
    private Instant strikesEnd = Instant.MIN;
    private long strikes;
    private Instant banEnd = Instant.MIN;
    private int banLevel;
    private Instant banLevelEnd = Instant.MIN;

    QuotaModel(BanConfig rules) {
        this.rules = rules;
    }

    void announce(long announced) {
        version = announced;
    }

    /** The newest known version, if the caller's is older; the reply then contains nothing else. */
    Optional<Outdated> newerThan(long callersVersion) {
        return callersVersion < version ? Optional.of(new Outdated(version)) : Optional.empty();
    }

    Outcome decide(Instant now, Quota limits, int cost) {
        correct(now);
        if (cost > 0 && dayAt(now).isAfter(day)) {
            day = dayAt(now);
            inDay = 0;
        }
        if (now.isBefore(banEnd)) {
            return Outcome.BANNED;
        }
        boolean room = inMinuteAt(now) < limits.perMinute() && inDayAt(now) < limits.perDay();
        if (cost == 0) {
            return room ? Outcome.ADMITTED : Outcome.REFUSED;
        }
        if (!room) {
            return strike(now, limits) ? Outcome.BANNED : Outcome.REFUSED;
        }
        Instant end = minuteEndAt(now);
        inMinute = inMinuteAt(now) + 1;
        minuteEnd = end;
        inDay++;
        return Outcome.ADMITTED;
    }

    /** The decision with an outcome, from the state after it. */
    Decision shown(Outcome outcome, Instant now, Quota limits, boolean shared) {
        int minuteLeft = Math.max(0, limits.perMinute() - inMinuteAt(now));
        Instant minuteReset = minuteEndAt(now);
        if (outcome == Outcome.BANNED) {
            minuteReset = minuteLeft == 0 && minuteReset.isAfter(banEnd) ? minuteReset : banEnd;
            minuteLeft = 0;
        }
        Instant midnight = dayAt(now).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        return new Decision(
                outcome,
                now.toEpochMilli(),
                new Window(limits.perMinute(), minuteLeft, minuteReset.toEpochMilli()),
                new Window(limits.perDay(), Math.max(0, limits.perDay() - inDayAt(now)), midnight.toEpochMilli()),
                outcome == Outcome.BANNED ? Optional.of(new Ban(banEnd.toEpochMilli(), banLevel)) : Optional.empty(),
                shared);
    }

    private boolean strike(Instant now, Quota limits) {
        boolean further = now.isBefore(strikesEnd) && !strikesEnd.isAfter(now.plus(rules.strikeWindow()));
        if (!further) {
            strikes = 0;
            strikesEnd = now.plus(rules.strikeWindow());
        } else if (!now.isBefore(strikesEnd.minus(rules.strikeWindow()).plus(rules.grace()))) {
            strikes++;
        }
        if (strikes < Math.max(1, Math.round(limits.perMinute() * rules.strikesPerLimit()))) {
            return false;
        }
        banLevel = now.isBefore(banLevelEnd) ? banLevel + 1 : 1;
        banLevelEnd = now.plus(rules.forgottenAfter());
        Duration length = rules.first();
        for (int level = 1; level < banLevel; level++) {
            length = length.multipliedBy(2);
        }
        banEnd = now.plus(length.compareTo(rules.longest()) < 0 ? length : rules.longest());
        strikesEnd = Instant.MIN;
        return true;
    }

    /** After the clock went back, no window ends later than one that starts now, and no ban later than the longest one that starts now. */
    private void correct(Instant now) {
        minuteEnd = earlier(minuteEnd, now.plus(Window.MINUTE));
        day = day.isAfter(dayAt(now)) ? dayAt(now) : day;
        banEnd = earlier(banEnd, now.plus(rules.longest()));
        banLevelEnd = earlier(banLevelEnd, now.plus(rules.forgottenAfter()));
    }

    private static Instant earlier(Instant one, Instant another) {
        return one.isBefore(another) ? one : another;
    }

    private int inMinuteAt(Instant now) {
        return now.isBefore(minuteEnd) ? inMinute : 0;
    }

    /** The end of the minute; if none is open, of one that would start now. */
    private Instant minuteEndAt(Instant now) {
        return inMinuteAt(now) == 0 ? now.plus(Window.MINUTE) : minuteEnd;
    }

    private int inDayAt(Instant now) {
        return dayAt(now).isAfter(day) ? 0 : inDay;
    }

    private static LocalDate dayAt(Instant now) {
        return LocalDate.ofInstant(now, ZoneOffset.UTC);
    }
}
