package dev.animalstore.store.pet;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.animalstore.web.input.Text;
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
        @NotNull @Text(max = 255) String name, @NotNull Long categoryId, PetStatus status) {
    NewPet {
        status = status == null ? PetStatus.AVAILABLE : status;
    }
}
