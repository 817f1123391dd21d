package dev.animalstore.store.order;

import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.persistence.EnumeratedValue;
import java.util.Locale;

/** The progress of an order. In lower case in JSON, in parameters and in the database. */
public enum OrderStatus {
    PLACED,
    APPROVED,
    DELIVERED;

    @JsonValue
    @EnumeratedValue
    public final String value = name().toLowerCase(Locale.ROOT);
}
