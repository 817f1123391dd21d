package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.request.JsonBody;
import dev.animalstore.request.Text;
import jakarta.validation.constraints.NotNull;

/**
 * What a client says of an animal that it adds. Unknown members are ignored, so that it may send back a whole pet; the identifier has no
 * effect.
 *
 * @param name 1 to 255 Unicode code points, kept exactly as sent; not unique
 * @param categoryId any 64-bit integer; categories live elsewhere, so it is not looked up
 * @param status {@code available} unless the client says otherwise
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record NewPet(
        @NotNull @Text(max = 255) String name, @NotNull Long categoryId, PetStatus status) implements JsonBody {
    NewPet {
        status = status == null ? PetStatus.AVAILABLE : status;
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
