package dev.animalstore.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.error.ApiException;
import dev.animalstore.key.PlanDetails;
import dev.animalstore.request.Form;
import java.math.BigInteger;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

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
    private static final List<String> OTHERS = List.of("graceSeconds", "version", "id");

    /** The prefix of the hidden fields that hold the values at the time when the form was shown. */
    private static final String SHOWN = "shown.";

    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,40})");
    private static final Pattern LOCAL_TIME =
            Pattern.compile("[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?");
    private static final int LENGTH_WITHOUT_SECONDS = "00:00".length();
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
        DESCRIBING.forEach(field -> {
            typed.put(field, sent.text(field));
            typed.put(SHOWN + field, sent.text(SHOWN + field));
        });
        return of(typed);
    }

    /** A form with the current values of a key. */
    static KeyForm of(ManagedKey key, List<PlanDetails> plans) {
        Map<String, String> typed = new HashMap<>();
        typed.put(OWNER, key.owner());
        typed.put(PLAN, key.plan());
        boolean ownLimits = plans.stream()
                .anyMatch(
                        plan -> plan.name().equals(key.plan()) && plan.limits().isEmpty());
        typed.put(
                LIMITS + "." + PER_MINUTE,
                ownLimits ? Integer.toString(key.limits().perMinute()) : "");
        typed.put(
                LIMITS + "." + PER_DAY,
                ownLimits ? Integer.toString(key.limits().perDay()) : "");
        typed.put(EXPIRY, key.expiresAt() == null ? "" : INPUT.format(key.expiresAt()));
        typed.put("version", Long.toString(key.version()));
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
        return DESCRIBING;
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

    /** The same form after another change of the key: with the differences, and for the current version. */
    KeyForm outdated(KeyForm now) {
        List<String> differences = new ArrayList<>();
        for (String field : DESCRIBING) {
            if (!shown(field).equals(now.value(field))) {
                differences.add("%s was “%s” and is now “%s”.".formatted(field, shown(field), now.value(field)));
            }
        }
        if (differences.isEmpty()) {
            differences.add("Its secret was replaced, its ban was lifted, or it was revoked.");
        }
        Map<String, String> renewed = new HashMap<>(typed);
        DESCRIBING.forEach(field -> renewed.put(SHOWN + field, now.value(field)));
        renewed.put("version", now.value("version"));
        return new KeyForm(renewed, Map.of(), differences);
    }

    /** The JSON body that issues a key. */
    public String newKey() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put(OWNER, value(OWNER));
        json.put(PLAN, value(PLAN));
        putLimits(json);
        if (!value(EXPIRY).isEmpty()) {
            json.put(EXPIRY, instant(value(EXPIRY)));
        }
        return json.toString();
    }

    /** The JSON body that changes what differs from the shown values. */
    public String change() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        for (String field : List.of(OWNER, PLAN)) {
            if (isChanged(field)) {
                json.put(field, value(field));
            }
        }
        if (isChanged(LIMITS + "." + PER_MINUTE) || isChanged(LIMITS + "." + PER_DAY)) {
            putLimits(json);
        }
        if (isChanged(EXPIRY)) {
            json.put(EXPIRY, value(EXPIRY).isEmpty() ? null : instant(value(EXPIRY)));
        }
        return json.toString();
    }

    /** The JSON body that rotates the secret. */
    public String rotation() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        putNumber(json, "graceSeconds", value("graceSeconds"));
        return json.toString();
    }

    private boolean isChanged(String field) {
        return !value(field).equals(shown(field));
    }

    private void putLimits(ObjectNode json) {
        String perMinute = value(LIMITS + "." + PER_MINUTE);
        String perDay = value(LIMITS + "." + PER_DAY);
        if (!perMinute.isEmpty() || !perDay.isEmpty()) {
            ObjectNode limits = json.putObject(LIMITS);
            putNumber(limits, PER_MINUTE, perMinute);
            putNumber(limits, PER_DAY, perDay);
        }
    }

    /** A value that is not a number stays a string, which is refused as such; an empty field is absent. */
    private static void putNumber(ObjectNode json, String member, String text) {
        if (INTEGER.matcher(text).matches()) {
            json.put(member, new BigInteger(text));
        } else if (!text.isEmpty()) {
            json.set(member, TextNode.valueOf(text));
        }
    }

    /** Browsers send a time without an offset; the page says that it is UTC. */
    private static String instant(String text) {
        if (!LOCAL_TIME.matcher(text).matches()) {
            return text;
        }
        boolean seconds = text.length() - text.indexOf('T') - 1 > LENGTH_WITHOUT_SECONDS;
        return text + (seconds ? "Z" : ":00Z");
    }
}
