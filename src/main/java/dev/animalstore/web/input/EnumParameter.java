package dev.animalstore.web.input;

import dev.animalstore.web.error.ApiException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An enumeration as clients send it: the names of its constants in lower case. */
public final class EnumParameter {
    private EnumParameter() {}

    /**
     * The constant that a query parameter names.
     *
     * @throws ApiException {@code invalid_parameter} if there is no such constant; the message lists all of them
     */
    public static <E extends Enum<E>> E parse(String name, Class<E> values, String text) {
        return find(values, text)
                .orElseThrow(() -> ApiException.invalidParameter(name + " " + requirement(values) + "."));
    }

    static <E> Optional<E> find(Class<E> values, Object text) {
        return Stream.of(values.getEnumConstants())
                .filter(constant -> spelled(constant).equals(text))
                .findFirst();
    }

    /** What a text that names no constant must be, for an error message. */
    static String requirement(Class<?> values) {
        return Stream.of(values.getEnumConstants())
                .map(EnumParameter::spelled)
                .collect(Collectors.joining(", ", "must be one of ", ""));
    }

    public static String spelled(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }
}
