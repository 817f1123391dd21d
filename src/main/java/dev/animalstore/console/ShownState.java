package dev.animalstore.console;

import dev.animalstore.admin.ManagedKey;
import dev.animalstore.key.KeyDetails.SecretDetails;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a page showed of a key besides its fields, so that a form on it can tell what became different since. Sent by a browser, so either text
 * may be anything.
 *
 * @param secret the newest secret: its hint, and when it was issued
 * @param ban the ban: which in a row it is, and when it ends; of this replica alone if Redis was unavailable; empty if there was none
 */
record ShownState(String secret, String ban) {
    private static final Pattern SECRET = Pattern.compile("([0-9A-Za-z]{4}) .{1,40}");
    private static final Pattern SHARED_BAN = Pattern.compile("[0-9]{1,9}/([0-9]{1,15})");

    /** What is shown of a key now. */
    static ShownState of(ManagedKey key) {
        SecretDetails newest = key.secrets().get(0);
        return new ShownState(newest.hint() + " " + newest.createdAt(), ban(key));
    }

    /** What operators have done to the key since, a sentence each, that no field shows. */
    List<String> differences(ManagedKey key, Instant now) {
        List<String> differences = new ArrayList<>();
        if (key.revokedAt() != null) {
            differences.add("It was revoked for good at %s UTC.".formatted(Notation.seconds(key.revokedAt())));
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
