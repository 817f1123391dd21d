package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * An animal of the catalogue, as it is stored and as it is sent. It is never changed or deleted.
 *
 * @param id from a sequence of the database: positive, drawn before the pet is committed, never used again
 * @param name 1 to 255 Unicode code points, exactly as sent
 * @param categoryId any 64-bit integer
 * @param status whether it can be had
 */
@JsonPropertyOrder({"id", "name", "categoryId", "status"})
public record Pet(long id, String name, long categoryId, PetStatus status) {}
