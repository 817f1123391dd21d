package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import java.util.Locale;
import java.util.StringJoiner;

/** An enumeration as clients send it: the names of its constants in lower case. */
public final class EnumParameter {
    private EnumParameter() {}

    /**
     * The constant that a query parameter names.
     *
     * @param name the name of the parameter
     * @throws ApiException {@code invalid_parameter} if there is no such constant; the message lists all of them
     */
    public static <E extends Enum<E>> E parse(String name, Class<E> values, String text) {
        E found = find(values, text);
        if (found == null) {
            throw ApiException.invalidParameter(name + " must be one of " + list(values) + ".");
        }
        return found;
    }

    /** The constant of a text, or {@code null}. */
    static <E> E find(Class<E> values, String text) {
        for (E constant : values.getEnumConstants()) {
            if (spelled(constant).equals(text)) {
                return constant;
            }
        }
        return null;
    }

    /** All values, for an error message. */
    static String list(Class<?> values) {
        StringJoiner list = new StringJoiner(", ");
        for (Object constant : values.getEnumConstants()) {
            list.add(spelled(constant));
        }
        return list.toString();
    }

    private static String spelled(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }
}
