package dev.animalstore.request;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.validation.Validator;
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
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Binds and validates a {@link JsonBody} from what {@link BodyFilter} received, or refuses it with 400, 413 or 415. */
@Provider
@Consumes(MediaType.WILDCARD)
public final class JsonBodyReader implements MessageBodyReader<JsonBody> {
    /** The largest body that is read, in bytes. */
    public static final int MAXIMUM_BYTES = 64 * 1024;

    private static final Pattern JSON = Pattern.compile("application/json\\s*(;.*)?", Pattern.CASE_INSENSITIVE);

    private final Validator validator;

    JsonBodyReader(Validator validator) {
        this.validator = validator;
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
        if (isDeclaredTooLarge(headers.getFirst(HttpHeaders.CONTENT_LENGTH))) {
            throw tooLarge();
        }
        if (!isJson(headers.getOrDefault(HttpHeaders.CONTENT_TYPE, List.of()))) {
            throw new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.");
        }
        byte[] bytes = body.readNBytes(MAXIMUM_BYTES + 1);
        if (bytes.length > MAXIMUM_BYTES) {
            throw tooLarge();
        }
        Faults faults = new Faults(type);
        JsonBody bound = bind(StrictBinding.of(type, faults), text(bytes));
        if (bound != null) {
            validator.validate(bound).forEach(faults::add);
        }
        faults.verify();
        return bound;
    }

    /** Whether a body is said to be JSON and nothing else. Quarkus REST also takes a pattern, an empty type and the first of several for it. */
    private static boolean isJson(List<String> contentTypes) {
        return contentTypes.size() == 1 && JSON.matcher(contentTypes.get(0)).matches();
    }

    /** Whether a body need not be received at all. */
    static boolean isDeclaredTooLarge(String contentLength) {
        return contentLength != null && Long.parseLong(contentLength) > MAXIMUM_BYTES;
    }

    private static JsonBody bind(ObjectReader reader, String text) throws IOException {
        try (JsonParser parser = reader.createParser(text)) {
            if (parser.nextToken() == null) {
                throw malformed("The body is empty; it must be a JSON object.");
            }
            return reader.readValue(parser);
        } catch (StreamReadException | StreamConstraintsException | MismatchedInputException e) {
            throw malformed(
                    "The body is not well-formed JSON, has a member twice, goes on after its end or is nested too deeply"
                            + place(e.getLocation()) + ".");
        }
    }

    /** RFC 8259 leaves no other encoding; Jackson by itself would guess UTF-16 and UTF-32, and take overlong forms. */
    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed("The body is not UTF-8.");
        }
    }

    /** Jackson tells no place where one of its own limits, such as that of nesting, ends the reading. */
    private static String place(JsonLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    private static ApiException malformed(String message) {
        return new ApiException(ErrorCode.MALFORMED_JSON, message);
    }

    private static ApiException tooLarge() {
        return new ApiException(ErrorCode.PAYLOAD_TOO_LARGE, "The body must not exceed " + MAXIMUM_BYTES + " bytes.");
    }
}
