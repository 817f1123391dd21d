package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether an animal can be had. Spelled in lower case in JSON and in the database. */
public enum PetStatus {
    AVAILABLE,
    PENDING,
    SOLD;

    private static final Map<String, PetStatus> BY_VALUE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(PetStatus::value, Function.identity()));

    private final String value = name().toLowerCase(Locale.ROOT);

    /** The status of a spelling that the database has checked. */
    static PetStatus of(String value) {
        return BY_VALUE.get(value);
    }

    /** The spelling of the status. */
    @JsonValue
    public String value() {
        return value;
    }
}
