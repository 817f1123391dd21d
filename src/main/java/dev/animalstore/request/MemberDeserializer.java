package dev.animalstore.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.util.AccessPattern;
import java.io.IOException;
import java.time.Instant;
import org.hibernate.validator.constraints.Range;

/**
 * Reads a member with Jackson's own deserializer of its type, and records a mismatch instead of ending the binding, so that all errors are
 * reported at once. {@code null} is valid for {@code Optional} only.
 */
final class MemberDeserializer extends DelegatingDeserializer {
    private static final long serialVersionUID = 1;

    private final String name;
    private final String mismatch;
    private final String overflow;
    private final boolean nullable;

    /**
     * Reads a member, or the body itself.
     *
     * @param member {@code null} for the body, and until Jackson provides the member
     */
    MemberDeserializer(JsonDeserializer<?> deserializer, BeanProperty member) {
        super(deserializer);
        name = member == null ? null : member.getName();
        Range range = member == null ? null : member.getAnnotation(Range.class);
        mismatch = mismatch(handledType());
        overflow = Number.class.isAssignableFrom(handledType()) ? bounds(range) : mismatch;
        nullable = member != null && member.getType().isReferenceType();
    }

    private static String bounds(Range range) {
        return "must be from " + (range == null ? Long.MIN_VALUE : range.min()) + " to "
                + (range == null ? Long.MAX_VALUE : range.max());
    }

    private static String mismatch(Class<?> type) {
        if (type.isEnum()) {
            return "must be one of " + EnumParameter.list(type);
        }
        if (Number.class.isAssignableFrom(type)) {
            return "must be an integer";
        }
        if (type == Instant.class) {
            return "must be a date and time such as 2030-12-05T00:00:00Z";
        }
        return type == String.class ? "must be a string" : "must be an object";
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> deserializer) {
        return new MemberDeserializer(deserializer, null);
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty member)
            throws JsonMappingException {
        return new MemberDeserializer(
                context.handleSecondaryContextualization(_delegatee, member, context.constructType(handledType())),
                member);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        Faults faults = Faults.of(context);
        faults.enter(name);
        try {
            if (!isPadded(parser)) {
                return super.deserialize(parser, context);
            }
            faults.add(mismatch);
        } catch (MismatchedInputException e) {
            faults.add(mismatch);
        } catch (InputCoercionException e) {
            faults.add(overflow);
        } finally {
            faults.leave(name);
        }
        parser.skipChildren();
        return null;
    }

    /** Jackson also calls this in place of a value that did not match, whose error is kept. */
    @Override
    public Object getNullValue(DeserializationContext context) throws JsonMappingException {
        if (!nullable) {
            Faults.of(context).add(name, mismatch);
        }
        return null;
    }

    @Override
    public AccessPattern getNullAccessPattern() {
        return AccessPattern.DYNAMIC;
    }

    /** Whether the name of a constant has surrounding white space, which Jackson would ignore. */
    private boolean isPadded(JsonParser parser) throws IOException {
        return handledType().isEnum()
                && parser.hasToken(JsonToken.VALUE_STRING)
                && !parser.getText().equals(parser.getText().trim());
    }
}
