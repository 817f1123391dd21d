package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.EnumeratedValue;
import java.util.Locale;

/** The availability of an animal. In lower case in JSON and in the database. */
public enum PetStatus {
    AVAILABLE,
    PENDING,
    SOLD;

    @EnumeratedValue
    private final String value = name().toLowerCase(Locale.ROOT);

    /** The status as clients see it. */
    @JsonValue
    public String value() {
        return value;
    }
}
