package dev.animalstore.metering.quota;

import java.time.Instant;

/** What a {@link Decision} says of both windows, for customers and operators. */
public record QuotaView(Window minute, Window day) {
    public static QuotaView of(Decision decision) {
        return new QuotaView(Window.of(decision.minute()), Window.of(decision.day()));
    }

    /** One window; if it is not open, {@code resetsAt} is when it would end if it opened now. */
    public record Window(int limit, int remaining, Instant resetsAt) {
        private static Window of(Decision.Window window) {
            return new Window(window.limit(), window.remaining(), Instant.ofEpochMilli(window.resetMillis()));
        }
    }

    /** A ban that is in force, as in {@link Decision.Ban}, with a sentence for people. */
    public record Ban(Instant until, int level, String reason) {
        private static final String REASON = "The key kept sending requests after exceeding its quota.";

        /** {@code null} if there is none. */
        public static Ban of(Decision decision) {
            return decision.ban()
                    .map(ban -> new Ban(Instant.ofEpochMilli(ban.untilMillis()), ban.level(), REASON))
                    .orElse(null);
        }
    }
}
