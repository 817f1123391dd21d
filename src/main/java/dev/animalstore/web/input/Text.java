package dev.animalstore.web.input;

import jakarta.validation.Constraint;
import jakarta.validation.OverridesAttribute;
import jakarta.validation.Payload;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.validator.constraints.CodePointLength;

/**
 * A string that is not blank and has no control character and no unpaired surrogate. White space is that of any script, non-breaking spaces
 * and the byte order mark, as ECMA-262 defines it for the published pattern.
 */
@CodePointLength(message = "must have at most {max} characters")
@Pattern(regexp = "(?s).*[^\\p{javaWhitespace}\\p{Z}\\ufeff].*", message = "must not be blank")
@Pattern(regexp = "[^" + Text.FORBIDDEN + "]*", message = "must not contain control characters or unpaired surrogates")
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = {})
public @interface Text {
    /** Control characters and unpaired surrogates, which are not characters. */
    String FORBIDDEN = "\\p{Cc}\\p{Cs}";

    /** The maximum number of code points. */
    @OverridesAttribute(constraint = CodePointLength.class, name = "max")
    int max();

    String message() default "must be text";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
