package dev.animalstore.input;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.validator.constraints.Range;

/**
 * Binds JSON to a {@link JsonBody}: each member is converted to the type of its component, and Bean Validation checks the constraints. So all
 * invalid members are reported at once.
 */
@Singleton
public final class JsonBinding {
    private static final ObjectMapper TREES = new ObjectMapper();
    private static final int LAST_YEAR = 9999;

    private final Validator validator;

    JsonBinding(Validator validator) {
        this.validator = validator;
    }

    /**
     * The record of members that came in another way than as JSON, such as the fields of a form.
     *
     * @param members by name: a string, an integer, a map of members, or {@code null}
     * @throws ApiException {@code validation_failed} with a reason for each invalid member, in the order of the record
     */
    public <T extends JsonBody> T bind(Class<T> type, Map<String, ?> members) {
        return bind(type, TREES.<JsonNode>valueToTree(members));
    }

    <T extends JsonBody> T bind(Class<T> type, JsonNode json) {
        if (!json.isObject()) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The body must be a JSON object.");
        }
        Map<String, String> reasons = new LinkedHashMap<>();
        T body = record(type, json, "", reasons);
        // The reason of a member that could not be converted is kept. Of several, the response always has the same.
        validator.validate(body).stream()
                .sorted(Comparator.comparing(ConstraintViolation::getMessage))
                .forEach(violation ->
                        reasons.putIfAbsent(violation.getPropertyPath().toString(), violation.getMessage()));
        reasons.values().removeIf(Objects::isNull);
        if (!reasons.isEmpty()) {
            throw ApiException.invalidFields(reasons);
        }
        return body;
    }

    /**
     * A record of the members of an object. A member that cannot be converted is {@code null} in it.
     *
     * @param path the path of names that leads to the object, with a dot at its end, or empty
     * @param reasons gets the paths of all members in the order of the record, unknown ones first: with {@code null}, or the reason why the
     *     member is refused
     */
    private static <T> T record(Class<T> type, JsonNode json, String path, Map<String, String> reasons) {
        RecordComponent[] components = type.getRecordComponents();
        if (!type.isAnnotationPresent(JsonIgnoreProperties.class)) {
            json.fieldNames().forEachRemaining(name -> {
                if (Stream.of(components).noneMatch(known -> known.getName().equals(name))) {
                    reasons.put(path + shown(name), "is unknown");
                }
            });
        }
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            reasons.putIfAbsent(path + name, null);
            values[i] = json.has(name) ? value(components[i], json.get(name), path + name, reasons) : null;
        }
        try {
            var constructor = type.getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The value of a component; {@code null} if the member cannot be converted to it. An {@code Optional} may be {@code null} in JSON. */
    private static Object value(RecordComponent component, JsonNode json, String path, Map<String, String> reasons) {
        boolean optional = component.getType() == Optional.class;
        if (optional && json.isNull()) {
            return Optional.empty();
        }
        Class<?> type = optional
                ? (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                : component.getType();
        Object value = null;
        String requirement;
        // No type is converted to another.
        if (type == String.class) {
            value = json.textValue();
            requirement = "must be a string";
        } else if (type == Instant.class) {
            value = time(json.asText());
            requirement = "must be a date and time such as 2030-12-05T00:00:00Z";
        } else if (type.isEnum()) {
            value = EnumParameter.find(type, json.textValue());
            requirement = EnumParameter.requirement(type);
        } else if (type.isRecord()) {
            value = json.isObject() ? record(type, json, path + ".", reasons) : null;
            requirement = "must be an object";
        } else if (json.isIntegralNumber()) {
            if (type == Long.class && json.canConvertToLong()) {
                value = json.longValue();
            } else if (type == Integer.class && json.canConvertToInt()) {
                value = json.intValue();
            }
            Range range = component.getAccessor().getAnnotation(Range.class);
            requirement = "must be from " + (range == null ? Long.MIN_VALUE : range.min()) + " to "
                    + (range == null ? Long.MAX_VALUE : range.max());
        } else {
            requirement = "must be an integer";
        }
        if (value == null) {
            reasons.put(path, requirement);
        }
        return optional && value != null ? Optional.of(value) : value;
    }

    /** A date and time with an offset (RFC 3339), up to the year 9999 in UTC; {@code null} if the text is none. */
    private static Instant time(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            return time.getYear() <= LAST_YEAR ? time.toInstant().truncatedTo(ChronoUnit.MICROS) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A name from a client, without characters that are not printable text. */
    private static String shown(String name) {
        return name.isEmpty() ? "\"\"" : name.replaceAll("[" + Text.FORBIDDEN + "]", "\ufffd");
    }
}
