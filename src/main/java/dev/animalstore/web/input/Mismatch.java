package dev.animalstore.web.input;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Set;

/**
 * Why Jackson did not read a value, in the words of a response, which names no class.
 *
 * @param path the members and indexes that lead to what is wrong
 */
record Mismatch(String path, String reason) {
    static final String BOUNDS = "must be from ";

    private static final Set<Class<?>> FRACTIONS =
            Set.of(float.class, Float.class, double.class, Double.class, BigDecimal.class);

    /**
     * Describes a failure to read a value at a path.
     *
     * @throws IllegalStateException if nothing of the type can be read, which is a defect
     */
    static Mismatch of(IOException failure, String path, JavaType type, ObjectMapper json) {
        if (failure instanceof InvalidDefinitionException) {
            throw new IllegalStateException(failure);
        }
        String place = path;
        if (failure instanceof JsonMappingException mapping) {
            for (JsonMappingException.Reference step : mapping.getPath()) {
                place = step.getFieldName() == null
                        ? place + "[" + step.getIndex() + "]"
                        : join(place, step.getFieldName());
            }
        }
        boolean isBody = place.isEmpty() || place.startsWith("[");
        return new Mismatch(isBody ? "The body" + place : place, reason(failure, type, json));
    }

    /** The path of a member of an object, without characters that are not printable text. */
    static String join(String path, String name) {
        String shown = name.isEmpty() ? "\"\"" : name.replaceAll("[" + Text.FORBIDDEN + "]", "\ufffd");
        return path.isEmpty() ? shown : path + "." + shown;
    }

    private static String reason(IOException failure, JavaType type, ObjectMapper json) {
        if (failure instanceof UnrecognizedPropertyException) {
            return "is unknown";
        }
        if (failure instanceof ValueInstantiationException) {
            return "is invalid";
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof InputCoercionException overflow) {
            boolean isInt = overflow.getTargetType() == int.class;
            return BOUNDS + (isInt ? Integer.MIN_VALUE : Long.MIN_VALUE) + " to "
                    + (isInt ? Integer.MAX_VALUE : Long.MAX_VALUE);
        }
        return failure instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? requirement(json.constructType(mismatch.getTargetType()), json)
                : requirement(type, json);
    }

    /** What a value of a type must be. */
    static String requirement(JavaType type, ObjectMapper json) {
        Class<?> raw = type.getRawClass();
        if (type.isEnumType()) {
            return "must be one of " + String.join(", ", json.convertValue(raw.getEnumConstants(), String[].class));
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return "must be true or false";
        }
        if (raw.isPrimitive() || Number.class.isAssignableFrom(raw)) {
            return FRACTIONS.contains(raw) ? "must be a number" : "must be an integer";
        }
        if (raw == String.class) {
            return "must be a string";
        }
        if (raw == Instant.class) {
            return "must be a date and time such as 2030-12-05T00:00:00Z";
        }
        if (raw == LocalDate.class) {
            return "must be a date such as 2030-12-05";
        }
        if (type.isCollectionLikeType() || type.isArrayType()) {
            return "must be an array";
        }
        return type.isMapLikeType() || !raw.getName().startsWith("java.") ? "must be an object" : "is malformed";
    }

    /** What is wrong with a body that is not read as JSON at all. */
    static String malformed(IOException failure) {
        // The location is null if one of Jackson's own limits, such as that of nesting, ended the parsing.
        JsonLocation end = failure instanceof JsonProcessingException json ? json.getLocation() : null;
        return "The body is empty or not well-formed JSON, has a duplicate member or trailing content, or is nested too deeply"
                + (end == null ? "." : " (line " + end.getLineNr() + ", column " + end.getColumnNr() + ").");
    }
}
