package dev.animalstore.web.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads a {@link JsonBody} or a {@link Form} from the body that {@link BodyFilter} received, or refuses it with 400. JSON is read strictly
 * (RFC 8259, no duplicate members).
 */
@Provider
@Consumes(MediaType.WILDCARD)
public final class BodyReader implements MessageBodyReader<Object> {
    /** Numbers and names may have the size of a body: a long number gets the error of its member, and a long name is ignored like others. */
    private static final ObjectMapper STRICT = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(BodyFilter.MAXIMUM_BYTES)
                            .maxNameLength(BodyFilter.MAXIMUM_BYTES)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final int MAXIMUM_DECIMAL_LENGTH = 1000;
    private static final BigDecimal FRACTION = new BigDecimal("0.5");

    /** RFC 8259, section 8.1: a reader may ignore it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Binding binding;

    BodyReader(Binding binding) {
        this.binding = binding;
    }

    @Override
    public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
        return BodyFilter.mediaType(type) != null;
    }

    @Override
    public Object readFrom(
            Class<Object> type,
            Type generic,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        Class<?> parameter = type;
        return parameter == Form.class
                ? Form.parse(body.readAllBytes())
                : binding.bind(parameter.asSubclass(JsonBody.class), read(body.readAllBytes()));
    }

    private static Object read(byte[] body) throws IOException {
        try {
            // RFC 8259 allows UTF-8 only; Jackson alone would detect UTF-16 and UTF-32, and accept overlong forms.
            String text = utf8(body);
            String json = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
            if (json.matches("[ \\t\\r\\n]*")) {
                throw malformed("is empty; it must be a JSON object");
            }
            try (JsonParser parser = new DecimalParser(STRICT.createParser(json))) {
                return STRICT.readValue(parser, Object.class);
            }
        } catch (CharacterCodingException e) {
            throw malformed("is not UTF-8");
        } catch (JsonProcessingException e) {
            // The location is null if one of Jackson's own limits, such as that of nesting, ended the parsing.
            String place = e.getLocation() == null
                    ? ""
                    : " (line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ")";
            throw malformed(
                    "is not well-formed JSON, has a duplicate member or trailing content, or is nested too deeply"
                            + place);
        }
    }

    static String utf8(byte[] text) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
    }

    private static ApiException malformed(String fault) {
        return new ApiException(ErrorCode.MALFORMED_JSON, "The body " + fault + ".");
    }

    /**
     * Takes a number that is too long, or whose exponent is beyond int32, for one with a fraction, so that its member is refused, or ignored if
     * it is unknown. The time to read a number grows with the square of its length.
     */
    private static final class DecimalParser extends JsonParserDelegate {
        DecimalParser(JsonParser parser) {
            super(parser);
        }

        @Override
        public BigDecimal getDecimalValue() throws IOException {
            try {
                return getTextLength() > MAXIMUM_DECIMAL_LENGTH ? FRACTION : super.getDecimalValue();
            } catch (NumberFormatException exponentBeyondInt32) {
                return FRACTION;
            }
        }
    }
}
