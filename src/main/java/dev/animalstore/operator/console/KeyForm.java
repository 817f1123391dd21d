package dev.animalstore.operator.console;

import dev.animalstore.metering.key.Plan;
import dev.animalstore.operator.ManagedKey;
import io.quarkus.qute.TemplateExtension;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The form about a key. Its fields are named like the members of the requests under {@code /admin}. */
final class KeyForm {
    private static final String OWNER = "owner";
    static final String PLAN = "plan";
    private static final String PER_MINUTE = "limits.perMinute";
    private static final String PER_DAY = "limits.perDay";
    private static final String EXPIRY = "expiresAt";
    private static final Set<String> FIELDS = Set.of(OWNER, PLAN, PER_MINUTE, PER_DAY, EXPIRY);

    /** The identifier of a form that issues a key, by which a second submission is recognised. */
    static final String ID = "id";

    /** With groups of three digits, as the pages show numbers, or without. */
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*|[1-9][0-9]{0,2}(,[0-9]{3})+)");

    private KeyForm() {}

    /** The name of a field, or of the group of limits, as the pages show it. */
    @TemplateExtension(namespace = "consoleForm")
    static String label(String field) {
        return switch (field) {
            case OWNER -> "Owner";
            case PLAN -> "Plan";
            case "limits" -> "Limits";
            case PER_MINUTE -> "Per minute";
            case PER_DAY -> "Per day";
            case EXPIRY -> "Expires (UTC)";
            case "graceSeconds" -> "Grace period";
            case "key" -> "Text of the key";
            default -> field;
        };
    }

    /** Why a field was refused, as a sentence; the reasons of {@code /admin} that are about JSON are worded for a form. */
    @TemplateExtension
    static String error(Form form, String field) {
        String reason = form.errors().get(field);
        return field.isEmpty()
                ? reason
                : label(field) + " "
                        + reason.replace("is required: ", "are required: ")
                                .replace("must be absent", "must be empty")
                                .replace("T00:00:00Z", "T00:00")
                        + ".";
    }

    /** The form that shows a key. Its limits are shown if they are its own, rather than those of its plan. */
    static Form of(ManagedKey key) {
        Map<String, String> values = new HashMap<>(Map.of(OWNER, key.owner(), PLAN, key.plan()));
        if (Plan.<Plan>findById(key.plan()).limits == null) {
            values.put(PER_MINUTE, key.limits().perMinute().toString());
            values.put(PER_DAY, key.limits().perDay().toString());
        }
        if (key.expiresAt() != null) {
            values.put(EXPIRY, Notation.minutes(key.expiresAt()).replace(' ', 'T'));
        }
        return new Form(values, Map.of());
    }

    /**
     * The members for the fields that were sent with another value than the form showed. Limits that were cleared go with the plan that they
     * were for.
     * Changed limits are sent with their plan, so that one response says what is wrong with both.
     */
    static Map<String, Object> members(Form sent, Form shown) {
        Map<String, Object> members = new HashMap<>(sent.values());
        members.keySet()
                .removeIf(field -> !FIELDS.contains(field) || sent.value(field).equals(shown.value(field)));
        Map<String, Object> limits = numbers(sent, PER_MINUTE, PER_DAY);
        boolean limited = members.keySet().removeAll(Set.of(PER_MINUTE, PER_DAY));
        if (limited && !(limits.isEmpty() && members.containsKey(PLAN))) {
            members.put("limits", limits);
            members.put(PLAN, sent.value(PLAN));
        }
        // Browsers send a time without an offset; the page says that it is UTC. An empty one is never.
        String expiry = sent.value(EXPIRY);
        members.replace(EXPIRY, expiry.isEmpty() ? null : expiry.endsWith("Z") ? expiry : expiry + "Z");
        return members;
    }

    /** The members for fields of numbers. An empty field is none, and what is no integer stays a string, which is refused as such. */
    static Map<String, Object> numbers(Form sent, String... fields) {
        Map<String, Object> members = new HashMap<>();
        for (String field : fields) {
            String text = sent.value(field);
            if (!text.isEmpty()) {
                String member = field.substring(field.lastIndexOf('.') + 1);
                members.put(member, INTEGER.matcher(text).matches() ? new BigInteger(text.replace(",", "")) : text);
            }
        }
        return members;
    }
}
