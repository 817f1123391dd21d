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
        private static final Pattern FORBIDDEN = Pattern.compile("[\\p{Cc}\\p{Cs}]");

        private static final int BYTE_ORDER_MARK = 0xFEFF;

        private int max;

        @Override
        public void initialize(Text text) {
            max = text.max();
        }

        @Override
        public boolean isValid(String text, ConstraintValidatorContext context) {
            if (text == null) {
                return true;
            }
            if (text.codePoints().allMatch(Validator::showsNothing)) {
                return broken(context, "must not be blank");
            }
            if (text.codePointCount(0, text.length()) > max) {
                return broken(context, "must have at most {max} characters");
            }
            return !FORBIDDEN.matcher(text).find()
                    || broken(context, "must not contain control characters or unpaired surrogates");
        }

        private static boolean broken(ConstraintValidatorContext context, String message) {
            context.disableDefaultConstraintViolation();
            context.buildConstraintViolationWithTemplate(message).addConstraintViolation();
            return false;
        }

        /**
         * White space of any script, including non-breaking spaces and the byte order mark, as ECMA-262 defines it for the published
         * pattern.
         */
        private static boolean showsNothing(int codePoint) {
            return Character.isWhitespace(codePoint)
                    || Character.isSpaceChar(codePoint)
                    || codePoint == BYTE_ORDER_MARK;
        }
    }
}
