package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.regex.Pattern;

/** Binds and validates a {@link JsonBody} from the body that {@link BodyFilter} received, or refuses it with 400, 413 or 415. */
@Provider
@Consumes(MediaType.WILDCARD)
public final class JsonBodyReader implements MessageBodyReader<JsonBody> {
    private static final Pattern JSON = Pattern.compile("application/json\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

    private final JsonBinding binding;

    JsonBodyReader(JsonBinding binding) {
        this.binding = binding;
    }

    @Override
    public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
        return JsonBody.class.isAssignableFrom(type);
    }

    @Override
    public JsonBody readFrom(
            Class<JsonBody> type,
            Type generic,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        BodySize.verify(headers);
        if (!isJson(headers.getOrDefault(HttpHeaders.CONTENT_TYPE, List.of()))) {
            throw new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.");
        }
        return binding.bind(type, text(BodySize.read(body)));
    }

    /** Whether the content type is exactly JSON. Quarkus REST would also accept a pattern, an empty type and the first of several. */
    private static boolean isJson(List<String> contentTypes) {
        return contentTypes.size() == 1 && JSON.matcher(contentTypes.get(0)).matches();
    }

    /** RFC 8259 allows UTF-8 only; Jackson alone would detect UTF-16 and UTF-32, and accept overlong forms. */
    private static String text(byte[] bytes) {
        try {
            return Utf8.decode(bytes);
        } catch (CharacterCodingException e) {
            throw new ApiException(ErrorCode.MALFORMED_JSON, "The body is not UTF-8.");
        }
    }
}
