package dev.animalstore.store.order;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.animalstore.web.input.EnumParameter;
import jakarta.persistence.EnumeratedValue;

/** The progress of an order. In lower case in JSON and in the database. */
public enum OrderStatus {
    PLACED,
    APPROVED,
    DELIVERED;

    @JsonValue
    @EnumeratedValue
    public final String value = EnumParameter.spelled(this);

    /** Parses the parameter of a list like {@link EnumParameter#parse}; called by Jakarta REST. */
    public static OrderStatus fromString(String text) {
        return EnumParameter.parse("status", OrderStatus.class, text);
    }
}
