package dev.animalstore.operator.console;

import dev.animalstore.error.ApiException;
import dev.animalstore.input.Form;
import dev.animalstore.operator.ManagedKey;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The fields of a form about a key, named like the members of the requests under {@code /admin}, and their errors.
 *
 * @param values the values by field, as they are shown
 * @param errors the messages of {@code /admin} by field, such as {@code "owner must not be blank."}; an error about no field has the
 *     empty name
 */
record KeyForm(Map<String, String> values, Map<String, String> errors) {
    private static final String OWNER = "owner";
    static final String PLAN = "plan";
    private static final String PER_MINUTE = "limits.perMinute";
    private static final String PER_DAY = "limits.perDay";
    private static final String EXPIRY = "expiresAt";

    /** The identifier of a form that issues a key, by which a second submission is recognised. */
    static final String ID = "id";

    /** The form of a key that does not exist yet. */
    static final KeyForm EMPTY = new KeyForm(Map.of(), Map.of());

    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");

    static KeyForm of(Form sent) {
        return new KeyForm(sent.fields(), Map.of());
    }

    /**
     * The form that shows a key.
     *
     * @param ownLimits whether its limits are its own, rather than those of its plan
     */
    static KeyForm of(ManagedKey key, boolean ownLimits) {
        Map<String, String> values = new HashMap<>();
        values.put(OWNER, key.owner());
        values.put(PLAN, key.plan());
        if (ownLimits) {
            values.put(PER_MINUTE, key.limits().perMinute().toString());
            values.put(PER_DAY, key.limits().perDay().toString());
        }
        if (key.expiresAt() != null) {
            values.put(EXPIRY, Notation.minutes(key.expiresAt()).replace(' ', 'T'));
        }
        return new KeyForm(values, Map.of());
    }

    /** The members that the form changes of the key that it showed. Limits that were cleared go with the plan that they were for. */
    Map<String, Object> members(KeyForm shown) {
        Map<String, Object> members = new HashMap<>();
        Stream.of(OWNER, PLAN)
                .filter(field -> isChanged(field, shown))
                .forEach(field -> members.put(field, value(field)));
        boolean cleared = (value(PER_MINUTE) + value(PER_DAY)).isEmpty();
        boolean limited = isChanged(PER_MINUTE, shown) || isChanged(PER_DAY, shown);
        if (limited && !(cleared && isChanged(PLAN, shown))) {
            members.put("limits", numbers(Map.of("perMinute", PER_MINUTE, "perDay", PER_DAY)));
        }
        if (isChanged(EXPIRY, shown)) {
            // Browsers send a time without an offset; the page says that it is UTC. An empty one is never.
            members.put(EXPIRY, value(EXPIRY).isEmpty() ? null : value(EXPIRY) + "Z");
        }
        return members;
    }

    /** Whether a field was sent with another value than the form showed. */
    private boolean isChanged(String field, KeyForm shown) {
        return values.containsKey(field) && !value(field).equals(shown.value(field));
    }

    /** Members by the names of their fields. An empty one is absent, and what is not an integer stays a string, which is refused as such. */
    Map<String, Object> numbers(Map<String, String> fields) {
        Map<String, Object> members = new HashMap<>();
        fields.forEach((member, field) -> {
            String text = value(field);
            if (INTEGER.matcher(text).matches()) {
                members.put(member, new BigInteger(text));
            } else if (!text.isEmpty()) {
                members.put(member, text);
            }
        });
        return members;
    }

    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    /** The same form with the reasons of a refusal. */
    KeyForm refused(ApiException refusal) {
        Map<String, String> reasons = new LinkedHashMap<>();
        refusal.reasons().forEach((field, reason) -> reasons.put(field, field + " " + reason + "."));
        if (reasons.isEmpty()) {
            reasons.put("", refusal.getMessage());
        }
        return new KeyForm(values, reasons);
    }
}
