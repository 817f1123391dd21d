package dev.animalstore.request;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.regex.Pattern;

/** A string that is not blank and has no control character and no unpaired surrogate. The message gives the first reason only. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = Text.Validator.class)
public @interface Text {
    /** The maximum number of code points. */
    int max();

    String message() default "must be text";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Validates the string and reports which part of the constraint is violated. */
    final class Validator implements ConstraintValidator<Text, String> {
        /** Control characters and unpaired surrogates, which are not characters. */
        static final Pattern FORBIDDEN = Pattern.compile("[\\p{Cc}\\p{Cs}]");

        /** White space of any script, non-breaking spaces and the byte order mark, as ECMA-262 defines it for the published pattern. */
        private static final Pattern BLANK = Pattern.compile("[\\p{javaWhitespace}\\p{Z}\\ufeff]*");

        private int max;

        @Override
        public void initialize(Text text) {
            max = text.max();
        }

        @Override
        public boolean isValid(String text, ConstraintValidatorContext context) {
            String fault = text == null ? "" : fault(text);
            if (!fault.isEmpty()) {
                context.disableDefaultConstraintViolation();
                context.buildConstraintViolationWithTemplate(fault).addConstraintViolation();
            }
            return fault.isEmpty();
        }

        private String fault(String text) {
            if (BLANK.matcher(text).matches()) {
                return "must not be blank";
            }
            if (text.codePointCount(0, text.length()) > max) {
                return "must have at most {max} characters";
            }
            return FORBIDDEN.matcher(text).find() ? "must not contain control characters or unpaired surrogates" : "";
        }
    }
}
