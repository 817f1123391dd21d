package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Whether an animal can be had. Spelled in lower case in JSON and in the database. */
public enum PetStatus {
    AVAILABLE,
    PENDING,
    SOLD;

    private final String value = name().toLowerCase(Locale.ROOT);

    /** The status of a spelling that the database has checked. */
    static PetStatus of(String value) {
        return valueOf(value.toUpperCase(Locale.ROOT));
    }

    /** The spelling of the status. */
    @JsonValue
    public String value() {
        return value;
    }
}
