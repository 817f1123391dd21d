package dev.animalstore.pet;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.request.JsonBody;
import dev.animalstore.request.Text;
import jakarta.validation.constraints.NotNull;

/**
 * The body of {@code createPet}. Unknown members are ignored, so a client may send back a whole pet; its identifier has no effect.
 *
 * @param name 1 to 255 Unicode code points, stored exactly as sent; not unique
 * @param categoryId any 64-bit integer; categories belong to another system, so it is not looked up
 * @param status {@code available} by default
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record NewPet(
        @NotNull @Text(max = 255) String name, @NotNull Long categoryId, PetStatus status) implements JsonBody {
    NewPet {
        status = status == null ? PetStatus.AVAILABLE : status;
    }

    /**
     * Returns the pet of the first request, if a retry has the same body.
     *
     * @throws ApiException {@code idempotency_mismatch} if the body differs
     */
    Pet requireSame(Pet created) {
        if (!equals(new NewPet(created.name, created.categoryId, created.status))) {
            throw new ApiException(
                    ErrorCode.IDEMPOTENCY_MISMATCH, "This Idempotency-Key was used with another body; use a new one.");
        }
        return created;
    }
}
