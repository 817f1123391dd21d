package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.EnumeratedValue;
import java.util.Locale;

/** Whether an animal can be had. Spelled in lower case in JSON and in the database. */
public enum PetStatus {
    AVAILABLE,
    PENDING,
    SOLD;

    @EnumeratedValue
    private final String value = name().toLowerCase(Locale.ROOT);

    /** The spelling of the status. */
    @JsonValue
    public String value() {
        return value;
    }
}
