package dev.animalstore.pet;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.request.RequestBody;

/**
 * What a client says of an animal that it adds.
 *
 * @param name 1 to 255 Unicode code points, kept exactly as sent; not unique
 * @param categoryId any 64-bit integer; categories live elsewhere, so it is not looked up
 * @param status {@code available} unless the client says otherwise
 */
record NewPet(String name, long categoryId, PetStatus status) {
    static final int MAXIMUM_NAME_LENGTH = 255;

    /**
     * Reads a new pet. Unknown members are ignored, so that a client may send back a whole pet; its identifier has no effect.
     *
     * @throws ApiException {@code validation_failed} that names every invalid field
     */
    static NewPet from(RequestBody body) {
        NewPet pet = new NewPet(
                body.requireText("name", MAXIMUM_NAME_LENGTH),
                body.requireInt64("categoryId"),
                body.find("status", PetStatus.class).orElse(PetStatus.AVAILABLE));
        body.verify();
        return pet;
    }

    /**
     * The pet that was made at the first try, if a retry asks for the same.
     *
     * @throws ApiException {@code idempotency_mismatch} where it asks for another pet
     */
    Pet requireSame(Pet made) {
        if (!equals(new NewPet(made.name, made.categoryId, made.status))) {
            throw new ApiException(
                    ErrorCode.IDEMPOTENCY_MISMATCH, "This Idempotency-Key was used for another body; take a new one.");
        }
        return made;
    }
}
