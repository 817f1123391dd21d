package dev.animalstore.request;

import jakarta.validation.Constraint;
import jakarta.validation.OverridesAttribute;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A whole number as decimal digits, within inclusive bounds. */
@Pattern(regexp = "[0-9]{1,10}")
@Min(0)
@Max(0)
@ReportAsSingleViolation
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = {})
public @interface WholeNumber {
    @OverridesAttribute(constraint = Min.class, name = "value")
    long min();

    @OverridesAttribute(constraint = Max.class, name = "value")
    long max();

    String message() default "must be a whole number from {min} to {max}";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
