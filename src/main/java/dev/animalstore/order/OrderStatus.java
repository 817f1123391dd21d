package dev.animalstore.order;

import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.EnumeratedValue;
import java.util.Locale;

/** The progress of an order. In lower case in JSON and in the database. */
public enum OrderStatus {
    PLACED,
    APPROVED,
    DELIVERED;

    @EnumeratedValue
    private final String value = name().toLowerCase(Locale.ROOT);

    /** The status as clients see it. */
    @JsonValue
    public String value() {
        return value;
    }
}
