package dev.animalstore.order;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/**
 * An order of one kind of animal, as another system recorded it.
 *
 * @param id positive, ascending
 * @param petId the pet, which this catalogue need not know
 * @param quantity how many
 * @param shipDate when it is or was shipped; {@code null}, and absent from the JSON, while that is not known
 * @param status how far it has come
 * @param complete whether nothing is left to be done
 */
@JsonPropertyOrder({"id", "petId", "quantity", "shipDate", "status", "complete"})
public record Order(
        long id,
        long petId,
        int quantity,
        @JsonInclude(JsonInclude.Include.NON_NULL) Instant shipDate,
        OrderStatus status,
        boolean complete) {}
