package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads a {@link JsonBody} or a {@link Form} from the body that {@link BodyFilter} received, or refuses it with 400. */
@Provider
@Consumes(MediaType.WILDCARD)
public final class BodyReader implements MessageBodyReader<Object> {
    private final JsonBinding binding;

    BodyReader(JsonBinding binding) {
        this.binding = binding;
    }

    /** The media type of the bodies that a parameter is read from; {@code null} if it is not read from a body. */
    static MediaType mediaType(Class<?> parameter) {
        if (parameter == Form.class) {
            return MediaType.APPLICATION_FORM_URLENCODED_TYPE;
        }
        return JsonBody.class.isAssignableFrom(parameter) ? MediaType.APPLICATION_JSON_TYPE : null;
    }

    @Override
    public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
        return mediaType(type) != null;
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
        byte[] bytes = body.readAllBytes();
        Class<?> parameter = type;
        return parameter == Form.class
                ? Form.parse(bytes)
                : binding.bind(parameter.asSubclass(JsonBody.class), text(bytes));
    }

    /** RFC 8259 allows UTF-8 only; Jackson alone would detect UTF-16 and UTF-32, and accept overlong forms. */
    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ApiException(ErrorCode.MALFORMED_JSON, "The body is not UTF-8.");
        }
    }
}
