package dev.animalstore.console;

import dev.animalstore.admin.ManagedKey;
import dev.animalstore.key.KeyDetails.SecretDetails;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of a key, other than the fields of a form, at the time when a form was shown. It serves to name what has changed since. A browser
 * sends it, so each value may be any string.
 *
 * @param secret the hint of the newest secret, and when that secret was issued
 * @param ban the level and the end of the ban, marked as local if Redis was unavailable; empty if there was no ban
 */
record ShownState(String secret, String ban) {
    private static final Pattern SECRET = Pattern.compile("([0-9A-Za-z]{4}) .{1,40}");
    private static final Pattern SHARED_BAN = Pattern.compile("[0-9]{1,9}/([0-9]{1,15})");

    /** The current state of a key. */
    static ShownState of(ManagedKey key) {
        SecretDetails newest = key.secrets().get(0);
        return new ShownState(newest.hint() + " " + newest.createdAt(), ban(key));
    }

    /** What operators have changed since and no field shows, a sentence each. */
    List<String> differences(ManagedKey key, Instant now) {
        List<String> differences = new ArrayList<>();
        if (key.revokedAt() != null) {
            differences.add("It was permanently revoked at %s UTC.".formatted(Notation.seconds(key.revokedAt())));
        }
        if (!secret.equals(of(key).secret)) {
            SecretDetails newest = key.secrets().get(0);
            Matcher former = SECRET.matcher(secret);
            differences.add("It was rotated: its newest secret is “…%s”, issued at %s UTC%s."
                    .formatted(
                            newest.hint(),
                            Notation.seconds(newest.createdAt()),
                            former.matches() ? ", and was “…" + former.group(1) + "”" : ""));
        }
        Matcher former = SHARED_BAN.matcher(ban);
        if (former.matches()
                && key.shared()
                && key.ban() == null
                && now.toEpochMilli() < Long.parseLong(former.group(1))) {
            differences.add("Its ban was lifted.");
        }
        return differences;
    }

    private static String ban(ManagedKey key) {
        return key.ban() == null
                ? ""
                : (key.shared() ? "" : "local ") + key.ban().level() + "/"
                        + key.ban().until().toEpochMilli();
    }
}
