package dev.animalstore.order;

import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.EnumeratedValue;
import java.util.Locale;

/** How far an order has come. Spelled in lower case in JSON and in the database. */
public enum OrderStatus {
    PLACED,
    APPROVED,
    DELIVERED;

    @EnumeratedValue
    private final String value = name().toLowerCase(Locale.ROOT);

    /** The spelling of the status. */
    @JsonValue
    public String value() {
        return value;
    }
}
