package dev.animalstore.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.error.ApiException;
import dev.animalstore.key.PlanDetails;
import dev.animalstore.request.Form;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The values of a form about a key, and their errors. The fields are the members of the request under {@code /admin}, which the form is
 * converted to, so that both are validated in the same way.
 *
 * @param typed the values by field
 * @param errors the messages of {@code /admin} by field; an error about no field has the empty name
 * @param changes what has changed since the form was shown, a sentence each
 */
record KeyForm(Map<String, String> typed, Map<String, String> errors, List<String> changes) {
    private static final String OWNER = "owner";
    private static final String PLAN = "plan";
    private static final String LIMITS = "limits";
    private static final String PER_MINUTE = "perMinute";
    private static final String PER_DAY = "perDay";
    private static final String EXPIRY = "expiresAt";
    private static final List<String> DESCRIBING =
            List.of(OWNER, PLAN, LIMITS + "." + PER_MINUTE, LIMITS + "." + PER_DAY, EXPIRY);
    private static final String SECRET = "secret";
    private static final String BAN = "ban";

    /** The fields whose values at the time when the form was shown are sent along. */
    private static final List<String> SHOWN_FIELDS =
            Stream.concat(DESCRIBING.stream(), Stream.of(SECRET, BAN)).toList();

    private static final List<String> OTHERS = List.of("graceSeconds", "version", "id");

    /** The prefix of the hidden fields that hold the values at the time when the form was shown. */
    private static final String SHOWN = "shown.";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final DateTimeFormatter INPUT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** A form without errors. */
    static KeyForm of(Map<String, String> typed) {
        return new KeyForm(typed, Map.of(), List.of());
    }

    /** The form that was sent. */
    static KeyForm of(Form sent) {
        Map<String, String> typed = new HashMap<>();
        OTHERS.forEach(field -> typed.put(field, sent.text(field)));
        DESCRIBING.stream().filter(sent::has).forEach(field -> typed.put(field, sent.text(field)));
        SHOWN_FIELDS.forEach(field -> typed.put(SHOWN + field, sent.text(SHOWN + field)));
        return of(typed);
    }

    /** A form with the current values of a key. */
    static KeyForm of(ManagedKey key, List<PlanDetails> plans) {
        Map<String, String> typed = new HashMap<>();
        typed.put(OWNER, key.owner());
        typed.put(PLAN, key.plan());
        boolean ownLimits = hasNoLimits(key.plan(), plans);
        typed.put(
                LIMITS + "." + PER_MINUTE,
                ownLimits ? Integer.toString(key.limits().perMinute()) : "");
        typed.put(
                LIMITS + "." + PER_DAY,
                ownLimits ? Integer.toString(key.limits().perDay()) : "");
        typed.put(EXPIRY, key.expiresAt() == null ? "" : INPUT.format(key.expiresAt()));
        typed.put("version", Long.toString(key.version()));
        typed.put("id", UUID.randomUUID().toString());
        ShownState state = ShownState.of(key);
        typed.put(SHOWN + SECRET, state.secret());
        typed.put(SHOWN + BAN, state.ban());
        DESCRIBING.forEach(field -> typed.put(SHOWN + field, typed.getOrDefault(field, "")));
        return of(typed);
    }

    /** The value of a field. */
    public String value(String field) {
        return typed.getOrDefault(field, "");
    }

    /** The value of a field when the form was shown. */
    public String shown(String field) {
        return value(SHOWN + field);
    }

    /** The fields whose former values the form sends along, to detect changes. */
    public List<String> shownFields() {
        return SHOWN_FIELDS;
    }

    /** The identifier of the form, by which a second submission is recognised; empty if the form did not come from this page. */
    Optional<UUID> id() {
        return Optional.of(value("id")).filter(id -> ID.matcher(id).matches()).map(UUID::fromString);
    }

    /** Whether the key has the ban that the form showed. */
    boolean showsBanOf(ManagedKey key) {
        return shown(BAN).equals(ShownState.of(key).ban());
    }

    /** How long the existing secret may still work after a rotation. */
    public List<Grace> graces() {
        return Grace.choices(value("graceSeconds"));
    }

    /** The error of a field, such as {@code "owner must not be blank."}; empty if there is none. */
    public String error(String field) {
        return errors.getOrDefault(field, "");
    }

    /** The same form with the reasons of a refusal. */
    KeyForm refused(ApiException refusal) {
        Map<String, String> reasons = new LinkedHashMap<>();
        refusal.reasons().forEach((field, reason) -> reasons.put(field, field + " " + reason + "."));
        if (reasons.isEmpty()) {
            reasons.put("", refusal.getMessage());
        }
        return new KeyForm(typed, reasons, changes);
    }

    /**
     * The same form after another change of the key: with the differences, and for the current version. A field that was not edited gets its
     * current value, so that submitting the form again does not undo another operator's change.
     */
    KeyForm outdated(ManagedKey key, List<PlanDetails> plans, Instant time) {
        KeyForm now = of(key, plans);
        List<String> differences = new ArrayList<>();
        Map<String, String> renewed = new HashMap<>(now.typed);
        OTHERS.stream().filter(field -> !field.equals("version")).forEach(field -> renewed.put(field, value(field)));
        for (String field : DESCRIBING) {
            if (!shown(field).equals(now.value(field))) {
                differences.add("%s was “%s” and is now “%s”.".formatted(field, shown(field), now.value(field)));
            }
            if (typed.containsKey(field) && isChanged(field)) {
                renewed.put(field, value(field));
            }
        }
        differences.addAll(new ShownState(shown(SECRET), shown(BAN)).differences(key, time));
        if (differences.isEmpty()) {
            differences.add(
                    "Nothing that the form showed is different now: the key was changed and changed back, or a ban"
                            + " that began later was lifted.");
        }
        return new KeyForm(renewed, Map.of(), differences);
    }

    /** A form with the current values of a key and the errors of this one. */
    KeyForm renewed(ManagedKey key, List<PlanDetails> plans) {
        return new KeyForm(of(key, plans).typed, errors, changes);
    }

    /** The JSON body that issues a key. */
    public String newKey() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put(OWNER, value(OWNER));
        json.put(PLAN, value(PLAN));
        putLimits(json);
        if (!value(EXPIRY).isEmpty()) {
            json.put(EXPIRY, JsonText.instant(value(EXPIRY)));
        }
        return json.toString();
    }

    /**
     * The JSON body that changes what differs from the shown values.
     *
     * @throws ApiException {@code validation_failed} if the form lacks a field, or removes limits that its plan requires
     */
    public String change(List<PlanDetails> plans) {
        verifyComplete(plans);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        for (String field : List.of(OWNER, PLAN)) {
            if (isChanged(field)) {
                json.put(field, value(field));
            }
        }
        if (isAnyLimitChanged()) {
            putLimits(json);
        }
        if (isChanged(EXPIRY)) {
            json.put(EXPIRY, value(EXPIRY).isEmpty() ? null : JsonText.instant(value(EXPIRY)));
        }
        return json.toString();
    }

    /** The JSON body that rotates the secret. */
    public String rotation() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        JsonText.putNumber(json, "graceSeconds", value("graceSeconds"));
        return json.toString();
    }

    private void verifyComplete(List<PlanDetails> plans) {
        Map<String, String> reasons = new LinkedHashMap<>();
        DESCRIBING.stream()
                .filter(field -> isChanged(field) && !typed.containsKey(field))
                .forEach(field -> reasons.put(field, "is required"));
        boolean withoutLimits = (value(LIMITS + "." + PER_MINUTE) + value(LIMITS + "." + PER_DAY)).isEmpty();
        if (reasons.isEmpty() && withoutLimits && isAnyLimitChanged() && hasNoLimits(value(PLAN), plans)) {
            reasons.put(LIMITS, "is required: the plan " + value(PLAN) + " has none");
        }
        if (!reasons.isEmpty()) {
            throw ApiException.invalidFields(reasons);
        }
    }

    private static boolean hasNoLimits(String name, List<PlanDetails> plans) {
        return plans.stream()
                .anyMatch(plan -> plan.name().equals(name) && plan.limits().isEmpty());
    }

    private boolean isAnyLimitChanged() {
        return isChanged(LIMITS + "." + PER_MINUTE) || isChanged(LIMITS + "." + PER_DAY);
    }

    private boolean isChanged(String field) {
        return !value(field).equals(shown(field));
    }

    private void putLimits(ObjectNode json) {
        String perMinute = value(LIMITS + "." + PER_MINUTE);
        String perDay = value(LIMITS + "." + PER_DAY);
        if (!perMinute.isEmpty() || !perDay.isEmpty()) {
            ObjectNode limits = json.putObject(LIMITS);
            JsonText.putNumber(limits, PER_MINUTE, perMinute);
            JsonText.putNumber(limits, PER_DAY, perDay);
        }
    }
}
