package dev.animalstore.store.pet;

import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.EnumeratedValue;
import java.util.Locale;

/** The availability of an animal. In lower case in JSON, in parameters and in the database. */
public enum PetStatus {
    AVAILABLE,
    PENDING,
    SOLD;

    @JsonValue
    @EnumeratedValue
    public final String value = name().toLowerCase(Locale.ROOT);
}
