package dev.animalstore.store.pet;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.animalstore.web.input.EnumParameter;
import jakarta.persistence.EnumeratedValue;

/** The availability of an animal. In lower case in JSON and in the database. */
public enum PetStatus {
    AVAILABLE,
    PENDING,
    SOLD;

    @JsonValue
    @EnumeratedValue
    public final String value = EnumParameter.spelled(this);

    /** Parses the parameter of a list like {@link EnumParameter#parse}; called by Jakarta REST. */
    public static PetStatus fromString(String text) {
        return EnumParameter.parse("status", PetStatus.class, text);
    }
}
