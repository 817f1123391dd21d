package dev.animalstore.request;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** An enumeration as clients send it: the names of its constants in lower case. */
final class EnumParameter {
    private EnumParameter() {}

    static <E extends Enum<E>> Optional<E> find(Class<E> values, String text) {
        return Arrays.stream(values.getEnumConstants())
                .filter(constant -> spelled(constant).equals(text))
                .findFirst();
    }

    /** All values, for an error message. */
    static String list(Class<?> values) {
        return Arrays.stream(values.getEnumConstants())
                .map(constant -> spelled((Enum<?>) constant))
                .collect(Collectors.joining(", "));
    }

    private static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
