package dev.animalstore.web.input;

import dev.animalstore.web.error.ApiException;
import java.util.Locale;
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
    public static <E extends Enum<E>> E parse(String name, Class<E> type, String text) {
        return Stream.of(type.getEnumConstants())
                .filter(constant -> spelled(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> ApiException.invalidParameter(name
                        + Stream.of(type.getEnumConstants())
                                .map(EnumParameter::spelled)
                                .collect(Collectors.joining(", ", " must be one of ", "."))));
    }

    public static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
