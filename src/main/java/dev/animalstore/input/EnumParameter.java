package dev.animalstore.input;

import dev.animalstore.error.ApiException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** An enumeration as clients send it: the names of its constants in lower case. */
public final class EnumParameter {
    private EnumParameter() {}

    /**
     * The constant that a query parameter names.
     *
     * @throws ApiException {@code invalid_parameter} if there is no such constant; the message lists all of them
     */
    public static <E extends Enum<E>> E parse(String name, Class<E> values, String text) {
        E found = find(values, text);
        if (found == null) {
            throw ApiException.invalidParameter(name + " " + requirement(values) + ".");
        }
        return found;
    }

    static <E> E find(Class<E> values, String text) {
        for (E constant : values.getEnumConstants()) {
            if (spelled(constant).equals(text)) {
                return constant;
            }
        }
        return null;
    }

    /** What a text that names no constant must be, for an error message. */
    static String requirement(Class<?> values) {
        return Arrays.stream(values.getEnumConstants())
                .map(EnumParameter::spelled)
                .collect(Collectors.joining(", ", "must be one of ", ""));
    }

    /** As clients send a constant. */
    public static String spelled(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }
}
