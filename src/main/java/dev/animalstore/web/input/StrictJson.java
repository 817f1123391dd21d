package dev.animalstore.web.input;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * Jackson as this service reads bodies: RFC 8259 without duplicate members, and no conversion between texts, numbers and Booleans. What its
 * settings do not do is corrected for integers, enumerations and times.
 */
final class StrictJson {
    /** The time to read a number grows with the square of its length: one of 65,000 digits would take a tenth of a second. */
    private static final int MAXIMUM_LENGTH = 1000;

    private static final int INT64_DIGITS = 19;
    private static final BigInteger BEYOND_INT64 = BigInteger.ONE.shiftLeft(Long.SIZE);
    private static final int LAST_YEAR = 9999;

    private StrictJson() {}

    /** A strict copy of a mapper. */
    static ObjectMapper of(ObjectMapper mapper) {
        ObjectMapper strict = mapper.copy()
                .registerModules(
                        new SimpleModule("strict").setDeserializerModifier(new Corrections()),
                        new AbsentAsNull().configureReadAbsentAsNull(true))
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS);
        // A long number gets the error of its member, and a long name is ignored like others.
        strict.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNumberLength(BodyFilter.MAXIMUM_BYTES)
                        .maxNameLength(BodyFilter.MAXIMUM_BYTES)
                        .build());
        // A date is not read from a date with a time.
        strict.setDefaultLeniency(false);
        for (CoercionInputShape shape : CoercionInputShape.values()) {
            strict.coercionConfigDefaults().setCoercion(shape, CoercionAction.Fail);
        }
        strict.coercionConfigFor(LogicalType.Float).setCoercion(CoercionInputShape.Integer, CoercionAction.TryConvert);
        return strict;
    }

    /** An integer in any notation, such as 100 as {@code 1e2} (JSON Schema Validation, section 6.1.1). Jackson would refuse it. */
    private static Object integer(JsonParser parser, DeserializationContext context, JsonDeserializer<?> usual)
            throws IOException {
        if (!parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT) && parser.getTextLength() <= MAXIMUM_LENGTH) {
            return usual.deserialize(parser, context);
        }
        BigInteger integer = integer(parser.getText());
        if (integer == null) {
            return null;
        }
        try (TokenBuffer plain = context.bufferForInputBuffering(parser)) {
            plain.writeNumber(integer);
            return usual.deserialize(plain.asParserOnFirstToken(), context);
        }
    }

    /** {@code null} for what is none, such as a fraction. One of more digits than int64 is not computed: {@code 1e999999999} would need a gigabyte. */
    private static BigInteger integer(String text) {
        if (text.length() > MAXIMUM_LENGTH) {
            return text.matches("-?[0-9]+") ? BEYOND_INT64 : null;
        }
        try {
            BigDecimal number = new BigDecimal(text);
            long digits = (long) number.precision() - number.scale();
            if (number.signum() != 0 && digits > INT64_DIGITS) {
                return BEYOND_INT64;
            }
            return number.signum() == 0 ? BigInteger.ZERO : digits > 0 ? number.toBigIntegerExact() : null;
        } catch (ArithmeticException | NumberFormatException fractionOrExponentBeyondInt32) {
            return null;
        }
    }

    /** A number, which Jackson would also read from the text {@code "NaN"}, and of {@code 1e999} infinity. */
    private static Object number(JsonParser parser, DeserializationContext context, JsonDeserializer<?> usual)
            throws IOException {
        boolean isRead = parser.currentToken().isNumeric() && parser.getTextLength() <= MAXIMUM_LENGTH;
        Object value = isRead ? usual.deserialize(parser, context) : null;
        return value instanceof Number number && Double.isFinite(number.doubleValue()) ? value : null;
    }

    /** A constant of an enumeration, around whose name Jackson would trim spaces. */
    private static Object constant(JsonParser parser, DeserializationContext context, JsonDeserializer<?> usual)
            throws IOException {
        String text = parser.getText();
        return parser.hasToken(JsonToken.VALUE_STRING) && text.equals(text.trim())
                ? usual.deserialize(parser, context)
                : null;
    }

    /** A time as text. Jackson would also read a number, of seconds or of a day, or one in a text. */
    private static Object time(JsonParser parser, DeserializationContext context, JsonDeserializer<?> usual)
            throws IOException {
        return parser.getText().matches("[+-]?[0-9.]*") ? null : constant(parser, context, usual);
    }

    /** An instant with an offset (RFC 3339), of the years 1 to 9999 in UTC, to the microsecond. */
    private static Instant instant(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            return time.getYear() >= 1 && time.getYear() <= LAST_YEAR
                    ? time.toInstant().truncatedTo(ChronoUnit.MICROS)
                    : null;
        } catch (DateTimeException malformed) {
            return null;
        }
    }

    /** An {@code Optional} is {@code null} if its member is absent, and empty if it is {@code null}. */
    private static final class AbsentAsNull extends Jdk8Module {
        /** Unlike that of Quarkus's own, since Jackson registers no module twice. */
        @Override
        public Object getTypeId() {
            return AbsentAsNull.class;
        }
    }

    private interface Correction {
        /** {@code null} for what is no value of the type. */
        Object read(JsonParser parser, DeserializationContext context, JsonDeserializer<?> usual) throws IOException;
    }

    private static final class Corrected extends DelegatingDeserializer {
        private static final long serialVersionUID = 1;

        private final transient Correction correction;

        Corrected(JsonDeserializer<?> usual, Correction correction) {
            super(usual);
            this.correction = correction;
        }

        @Override
        protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> usual) {
            return new Corrected(usual, correction);
        }

        @Override
        public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            Object value = correction.read(parser, context, _delegatee);
            if (value == null) {
                throw MismatchedInputException.from(parser, handledType(), "Not strictly of this type");
            }
            return value;
        }
    }

    private static final class Corrections extends BeanDeserializerModifier {
        private static final long serialVersionUID = 1;

        @Override
        public JsonDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> usual) {
            Class<?> type = bean.getBeanClass();
            if (type == Instant.class) {
                return new Corrected(usual, (parser, context, ignored) -> instant(parser.getText()));
            }
            if (type.getPackageName().equals(Instant.class.getPackageName()) && type != Year.class) {
                return new Corrected(usual, StrictJson::time);
            }
            LogicalType kind = usual.logicalType();
            if (kind == LogicalType.Integer && type != BigInteger.class) {
                return new Corrected(usual, StrictJson::integer);
            }
            return kind == LogicalType.Integer || kind == LogicalType.Float
                    ? new Corrected(usual, StrictJson::number)
                    : usual;
        }

        @Override
        public JsonDeserializer<?> modifyEnumDeserializer(
                DeserializationConfig config, JavaType type, BeanDescription bean, JsonDeserializer<?> usual) {
            return new Corrected(usual, StrictJson::constant);
        }
    }
}
