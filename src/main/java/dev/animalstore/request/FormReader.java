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
import java.util.List;
import java.util.regex.Pattern;

/** Reads a {@link Form} from the body that {@link BodyFilter} received, or refuses it with 400, 413 or 415. */
@Provider
@Consumes(MediaType.WILDCARD)
public final class FormReader implements MessageBodyReader<Form> {
    private static final Pattern FORM =
            Pattern.compile("application/x-www-form-urlencoded\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

    @Override
    public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
        return type == Form.class;
    }

    @Override
    public Form readFrom(
            Class<Form> type,
            Type generic,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        BodySize.verify(headers);
        verifyType(headers.getOrDefault(HttpHeaders.CONTENT_TYPE, List.of()));
        return Form.parse(BodySize.read(body));
    }

    /**
     * Refuses a body that is not a form.
     *
     * @param types the values of {@code Content-Type}
     * @throws ApiException {@code unsupported_media_type} unless there is exactly one value, well-formed and the type of a form
     */
    static void verifyType(List<String> types) {
        if (types.size() != 1 || !FORM.matcher(types.get(0)).matches() || !isWellFormed(types.get(0))) {
            throw new ApiException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/x-www-form-urlencoded.");
        }
    }

    /** Uses the parser of Quarkus REST, which would treat a malformed type as an internal error. */
    private static boolean isWellFormed(String type) {
        try {
            MediaType.valueOf(type);
            return true;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
