package dev.animalstore.web.input;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.validator.constraints.Range;

/**
 * Binds the members that a client sent to a {@link JsonBody}: each is converted to the type of its component, and Bean Validation checks the
 * constraints. So all invalid members are reported at once.
 */
@Singleton
public final class Binding {
    private static final int LAST_YEAR = 9999;
    private static final int INT64_DIGITS = 19;
    private static final BigInteger BEYOND_INT64 = BigInteger.ONE.shiftLeft(Long.SIZE);

    private final Validator validator;

    Binding(Validator validator) {
        this.validator = validator;
    }

    /**
     * The record of the members of an object.
     *
     * @param sent a map of members by name: each is a string, a boolean, a {@link BigInteger}, a {@link BigDecimal}, a map of members,
     *     {@code null}, or of another type, which is refused
     * @throws ApiException {@code validation_failed} with a reason for each invalid member, in the order of the record
     */
    public <T extends JsonBody> T bind(Class<T> type, Object sent) {
        if (!(sent instanceof Map<?, ?> members)) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The body must be a JSON object.");
        }
        Map<String, String> reasons = new LinkedHashMap<>();
        T body = record(type, members, "", reasons);
        if (!reasons.isEmpty()) {
            throw ApiException.invalidFields(reasons);
        }
        return body;
    }

    /**
     * A record of the members of an object. A member that cannot be converted is {@code null} in it.
     *
     * @param path the path of names that leads to the object, with a dot at its end, or empty
     * @param reasons gets the path of each member that is refused, unknown ones first, and the reason
     */
    private <T> T record(Class<T> type, Map<?, ?> members, String path, Map<String, String> reasons) {
        RecordComponent[] components = type.getRecordComponents();
        if (!type.isAnnotationPresent(JsonIgnoreProperties.class)) {
            members.keySet().stream()
                    .filter(name ->
                            Stream.of(components).map(RecordComponent::getName).noneMatch(name::equals))
                    .forEach(name -> reasons.put(path + shown(name.toString()), "is unknown"));
        }
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            values[i] =
                    members.containsKey(name) ? value(components[i], members.get(name), path + name, reasons) : null;
            // The reason of a member that could not be converted is kept. Of several, the response always has the same.
            validator.validateValue(type, name, values[i]).stream()
                    .map(ConstraintViolation::getMessage)
                    .min(Comparator.naturalOrder())
                    .ifPresent(reason -> reasons.putIfAbsent(path + name, reason));
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

    /** The value of a component; {@code null} if the member cannot be converted to it. */
    private Object value(RecordComponent component, Object sent, String path, Map<String, String> reasons) {
        Class<?> type = component.getType();
        BigInteger integer = integer(sent);
        Object value = null;
        String requirement;
        // No type is converted to another.
        if (type == String.class) {
            value = sent instanceof String ? sent : null;
            requirement = "must be a string";
        } else if (type == Boolean.class) {
            value = sent instanceof Boolean ? sent : null;
            requirement = "must be true or false";
        } else if (type == Optional.class) {
            value = sent == null ? Optional.empty() : time(sent.toString());
            requirement = "must be a date and time such as 2030-12-05T00:00:00Z";
        } else if (type.isEnum()) {
            value = EnumParameter.find(type, sent).orElse(null);
            requirement = EnumParameter.requirement(type);
        } else if (type.isRecord()) {
            value = sent instanceof Map<?, ?> members ? record(type, members, path + ".", reasons) : null;
            requirement = "must be an object";
        } else if (integer != null) {
            if (type == Long.class && integer.bitLength() < Long.SIZE) {
                value = integer.longValue();
            } else if (type == Integer.class && integer.bitLength() < Integer.SIZE) {
                value = integer.intValue();
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
        return value;
    }

    /**
     * The integer that a number equals, such as 100 for {@code 1e2} (JSON Schema Validation, section 6.1.1), or {@code null}. One of more digits
     * than int64 is not computed: {@code 1e999999999} would need a gigabyte.
     */
    private static BigInteger integer(Object sent) {
        if (!(sent instanceof BigDecimal number)) {
            return sent instanceof BigInteger integer ? integer : null;
        }
        long digits = (long) number.precision() - number.scale();
        if (number.signum() == 0) {
            return BigInteger.ZERO;
        }
        if (digits > INT64_DIGITS) {
            return BEYOND_INT64;
        }
        try {
            return digits > 0 ? number.toBigIntegerExact() : null;
        } catch (ArithmeticException hasFraction) {
            return null;
        }
    }

    /** An optional date and time with an offset (RFC 3339), up to the year 9999 in UTC; {@code null} if the text is none. */
    private static Object time(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            Instant stored = time.toInstant().truncatedTo(ChronoUnit.MICROS);
            return time.getYear() <= LAST_YEAR ? Optional.of(stored) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A name from a client, without characters that are not printable text. */
    private static String shown(String name) {
        return name.isEmpty() ? "\"\"" : name.replaceAll("[" + Text.FORBIDDEN + "]", "\ufffd");
    }
}
