package dev.animalstore.operator.console;

import dev.animalstore.operator.KeyChange;
import io.quarkus.qute.TemplateExtension;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The words for recorded changes of keys. A member has a value before, after, or both; that of a secret has a member for its end. */
final class Changes {
    private Changes() {}

    /** What was done, and what has changed by it, such as {@code rotated: new secret …jUcp}. */
    @TemplateExtension
    static String words(KeyChange change) {
        String done = switch (change.action) {
            case "issueKey" -> "issued";
            case "changeKey" -> "changed";
            case "rotateKey" -> "rotated";
            case "revokeKey" -> "revoked";
            case "liftBan" -> "ban lifted";
            case "sql" -> "changed by SQL";
            default -> change.action;
        };
        String changed = change.changed().entrySet().stream()
                .map(member -> difference(member.getKey(), member.getValue()))
                .filter(words -> !words.equals(done))
                .collect(Collectors.joining(", "));
        return changed.isEmpty() ? done : done + ": " + changed;
    }

    private static String difference(String member, List<Object> values) {
        return difference(member, values.get(0), values.get(1));
    }

    static String difference(String member, Object before, Object after) {
        if (member.startsWith("secret ")) {
            return secret(member.replace(" ", " …"), before, (Map<?, ?>) after);
        }
        return switch (member) {
            case "suspendedAt" -> after == null ? "resumed" : "suspended";
            case "revokedAt" -> after == null ? "no longer revoked" : "revoked";
            default -> {
                String name = member.equals("expiresAt")
                        ? "expiry"
                        : member.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
                yield name + " " + (before == null ? "" : text(before) + " → ") + text(after);
            }
        };
    }

    private static String secret(String name, Object before, Map<?, ?> after) {
        if (after == null) {
            return name + " deleted";
        }
        Object end = after.get("expiresAt");
        return (before == null ? "new " : "")
                + name
                + (end != null ? " until " + text(end) : before == null ? "" : " without an end");
    }

    private static String text(Object value) {
        return value instanceof Instant time
                ? Notation.minutes(time)
                : value instanceof Number number ? Notation.grouped(number) : value == null ? "none" : value.toString();
    }
}
