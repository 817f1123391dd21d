package dev.animalstore.key;

import jakarta.validation.constraints.NotNull;
import org.hibernate.validator.constraints.Range;

/** The limits of a key, in requests. */
public record KeyLimits(
        @NotNull @Range(min = 1, max = Integer.MAX_VALUE) Integer perMinute,

        @NotNull @Range(min = 1, max = Integer.MAX_VALUE) Integer perDay) {}
