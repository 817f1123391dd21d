package dev.animalstore.web.error;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.MessageInterpolator;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.metadata.ConstraintDescriptor;

/**
 * Where a constraint is violated, and why, as responses say it. For a standard constraint with its own message the words are those of
 * {@code ContributorValidationMessages.properties}, whose names begin with {@value #PREFIX}, so that other code keeps the usual ones.
 */
public final class Reasons {
    private static final String PREFIX = "{animalstore.";

    private final MessageInterpolator messages;

    public Reasons(ValidatorFactory validation) {
        messages = validation.getMessageInterpolator();
    }

    /** The text after the name of what is invalid, such as {@code must be at most 9}. */
    public String reason(ConstraintViolation<?> violation) {
        String template = violation.getMessageTemplate();
        Violated context = new Violated(violation.getConstraintDescriptor(), violation.getInvalidValue());
        String reason =
                template.startsWith("{") ? messages.interpolate(PREFIX + template.substring(1), context) : PREFIX;
        String unit = violation.getInvalidValue() instanceof CharSequence ? "characters" : "elements";
        return reason.startsWith(PREFIX) ? violation.getMessage() : reason.replace("{unit}", unit);
    }

    /** The path of what is invalid, such as {@code items[2]}, without what Bean Validation adds to it for elements. */
    public static String place(ConstraintViolation<?> violation) {
        return violation
                .getPropertyPath()
                .toString()
                .replaceAll("\\.?<[^<>]*>", "")
                .replaceAll("[\\p{Cc}\\p{Cs}]", "\ufffd");
    }

    private record Violated(ConstraintDescriptor<?> getConstraintDescriptor, Object getValidatedValue)
            implements MessageInterpolator.Context {
        @Override
        public <T> T unwrap(Class<T> type) {
            return type.cast(this);
        }
    }
}
