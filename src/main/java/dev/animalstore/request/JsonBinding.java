package dev.animalstore.request;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hibernate.validator.constraints.Range;

/**
 * Binds JSON to a {@link JsonBody} in three steps: the text is read strictly (RFC 8259, no duplicate members), each member is converted to
 * the type of its component, and Bean Validation checks the constraints. So all invalid members are reported at once.
 */
@Singleton
public final class JsonBinding {
    /** The size of a body, so that a long number gets the error of its member, and a long name is ignored like others. */
    private static final StreamReadConstraints LENGTHS = StreamReadConstraints.builder()
            .maxNumberLength(BodyFilter.MAXIMUM_BYTES)
            .maxNameLength(BodyFilter.MAXIMUM_BYTES)
            .build();

    private static final ObjectMapper STRICT = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(LENGTHS)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Control characters and unpaired surrogates. */
    private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cc}\\p{Cs}]");

    private static final int LAST_YEAR = 9999;

    private final Validator validator;

    JsonBinding(Validator validator) {
        this.validator = validator;
    }

    /**
     * The record of a JSON text.
     *
     * @throws ApiException {@code malformed_json}, or {@code validation_failed} with a reason for each invalid member, in the order of the
     *     record
     */
    public <T extends JsonBody> T bind(Class<T> type, String json) {
        return bind(type, read(json));
    }

    /**
     * The record of members that came in another way, such as the fields of a form.
     *
     * @param members by name: a string, an int64, a map of members, or {@code null}
     * @throws ApiException {@code validation_failed} as for a JSON text
     */
    public <T extends JsonBody> T bind(Class<T> type, Map<String, ?> members) {
        return bind(type, STRICT.<JsonNode>valueToTree(members));
    }

    private <T extends JsonBody> T bind(Class<T> type, JsonNode json) {
        if (!json.isObject()) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The body must be a JSON object.");
        }
        Map<String, String> reasons = new LinkedHashMap<>();
        T body = record(type, json, "", reasons);
        // The reason of a member that could not be converted is kept.
        validator
                .validate(body)
                .forEach(violation ->
                        reasons.putIfAbsent(violation.getPropertyPath().toString(), violation.getMessage()));
        reasons.values().removeIf(Objects::isNull);
        if (!reasons.isEmpty()) {
            throw ApiException.invalidFields(reasons);
        }
        return body;
    }

    private static JsonNode read(String json) {
        try {
            JsonNode value = STRICT.readTree(json);
            if (value.isMissingNode()) {
                throw new ApiException(ErrorCode.MALFORMED_JSON, "The body is empty; it must be a JSON object.");
            }
            return value;
        } catch (JsonProcessingException e) {
            // The location is null if one of Jackson's own limits, such as that of nesting, ended the parsing.
            String place = e.getLocation() == null
                    ? ""
                    : " (line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ")";
            throw new ApiException(
                    ErrorCode.MALFORMED_JSON,
                    "The body is not well-formed JSON, has a duplicate member or trailing content,"
                            + " or is nested too deeply" + place + ".");
        }
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
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            types[i] = components[i].getType();
            reasons.putIfAbsent(path + name, null);
            values[i] = json.has(name) ? value(components[i], json.get(name), path + name, reasons) : null;
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The value of a component; {@code null} if the member cannot be converted to it. An {@code Optional} may be {@code null} in JSON. */
    private static Object value(RecordComponent component, JsonNode json, String path, Map<String, String> reasons) {
        boolean nullable = component.getType() == Optional.class;
        if (nullable && json.isNull()) {
            return Optional.empty();
        }
        Class<?> type = nullable
                ? (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                : component.getType();
        Object value =
                type.isRecord() && json.isObject() ? record(type, json, path + ".", reasons) : converted(type, json);
        if (value == null) {
            reasons.put(path, reason(type, json, component.getAccessor().getAnnotation(Range.class)));
        }
        return nullable && value != null ? Optional.of(value) : value;
    }

    /** The value of a type, or {@code null} if there is none. Types are not converted to others. */
    private static Object converted(Class<?> type, JsonNode json) {
        if (type == Long.class) {
            return json.isIntegralNumber() && json.canConvertToLong() ? json.longValue() : null;
        }
        if (type == Integer.class) {
            return json.isIntegralNumber() && json.canConvertToInt() ? json.intValue() : null;
        }
        String text = json.textValue();
        if (text != null && type.isEnum()) {
            return EnumParameter.find(type, text);
        }
        return type == Instant.class ? time(text) : type == String.class ? text : null;
    }

    /** A date and time with an offset (RFC 3339), up to the year 9999 in UTC. */
    private static Instant time(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text == null ? "" : text).withOffsetSameInstant(ZoneOffset.UTC);
            return time.getYear() >= 0 && time.getYear() <= LAST_YEAR ? time.toInstant() : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static String reason(Class<?> type, JsonNode json, Range range) {
        if (type.isEnum()) {
            return "must be one of " + EnumParameter.list(type);
        }
        if (Number.class.isAssignableFrom(type)) {
            return json.isIntegralNumber()
                    ? "must be from " + (range == null ? Long.MIN_VALUE : range.min()) + " to "
                            + (range == null ? Long.MAX_VALUE : range.max())
                    : "must be an integer";
        }
        if (type == Instant.class) {
            return "must be a date and time such as 2030-12-05T00:00:00Z";
        }
        return type == String.class ? "must be a string" : "must be an object";
    }

    /** A name from a client, without characters that are not printable text. */
    private static String shown(String name) {
        return name.isEmpty() ? "\"\"" : UNSHOWN.matcher(name).replaceAll("\ufffd");
    }
}
