package dev.animalstore.key;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import java.util.Optional;

/**
 * What a customer pays for.
 *
 * @param name what it is called
 * @param hasLimits whether it says how many requests its keys may send; otherwise each key agrees on that by itself
 */
record Plan(String name, boolean hasLimits) {
    /**
     * The limits of its own that a key on this plan has: the given ones, where the plan has none, and only there.
     *
     * @throws ApiException {@code validation_failed} where they do not go with the plan
     */
    Optional<KeyLimits> agree(Optional<KeyLimits> limits) {
        if (hasLimits && limits.isPresent()) {
            throw new ApiException(
                    ErrorCode.VALIDATION_FAILED, "limits must be absent: the plan " + name + " has its own.");
        }
        if (!hasLimits && limits.isEmpty()) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "limits is required: the plan " + name + " has none.");
        }
        return limits;
    }
}
