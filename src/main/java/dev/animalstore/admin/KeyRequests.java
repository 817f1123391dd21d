package dev.animalstore.admin;

import dev.animalstore.key.KeyChange;
import dev.animalstore.key.KeyChange.Expiry;
import dev.animalstore.key.KeyLimits;
import dev.animalstore.request.RequestBody;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What operators send, read strictly: unknown members are refused, since a misspelt one would otherwise change nothing in silence. */
final class KeyRequests {
    private static final int MAXIMUM_OWNER_LENGTH = 255;
    private static final int MAXIMUM_PLAN_LENGTH = 50;
    private static final long MAXIMUM_GRACE_SECONDS = Duration.ofDays(30).toSeconds();

    private KeyRequests() {}

    /** A key that is to be issued; its expiry is {@code null} where it has none. */
    record NewKey(String owner, String plan, Optional<KeyLimits> limits, Instant expiresAt) {}

    static NewKey newKey(RequestBody body, Clock clock) {
        body.allowOnly(Set.of("owner", "plan", "limits", "expiresAt"));
        NewKey key = new NewKey(
                body.requireText("owner", MAXIMUM_OWNER_LENGTH),
                body.requireText("plan", MAXIMUM_PLAN_LENGTH),
                limits(body),
                expiry(body, clock).map(Expiry::at).orElse(null));
        body.verify();
        return key;
    }

    static KeyChange change(RequestBody body, Clock clock) {
        body.allowOnly(Set.of("owner", "plan", "limits", "expiresAt"));
        KeyChange change = new KeyChange(
                text(body, "owner", MAXIMUM_OWNER_LENGTH),
                text(body, "plan", MAXIMUM_PLAN_LENGTH),
                limits(body),
                expiry(body, clock));
        body.verify();
        return change;
    }

    /** How long the present secrets go on working after a rotation. */
    static Duration grace(RequestBody body) {
        body.allowOnly(Set.of("graceSeconds"));
        Duration grace = Duration.ofSeconds(body.requireInteger("graceSeconds", 0, MAXIMUM_GRACE_SECONDS));
        body.verify();
        return grace;
    }

    private static Optional<String> text(RequestBody body, String name, int maximum) {
        return body.has(name) ? Optional.of(body.requireText(name, maximum)) : Optional.empty();
    }

    private static Optional<KeyLimits> limits(RequestBody body) {
        return body.findObject("limits").map(limits -> {
            limits.allowOnly(Set.of("perMinute", "perDay"));
            return new KeyLimits((int) limits.requireInteger("perMinute", 1, Integer.MAX_VALUE), (int)
                    limits.requireInteger("perDay", 1, Integer.MAX_VALUE));
        });
    }

    /** {@code null} means never. */
    private static Optional<Expiry> expiry(RequestBody body, Clock clock) {
        if (body.hasNull("expiresAt")) {
            return Optional.of(new Expiry(null));
        }
        Optional<Instant> at = body.findInstant("expiresAt");
        if (at.isPresent() && !at.get().isAfter(clock.instant())) {
            body.fault("expiresAt", "must be in the future");
        }
        return at.map(Expiry::new);
    }
}
