package dev.animalstore.request;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads a {@link RequestBody} from what {@link BodyFilter} received, or refuses it with 400, 413 or 415. */
@Provider
@Consumes(MediaType.WILDCARD)
public final class RequestBodyReader implements MessageBodyReader<RequestBody> {
    /** The largest body that is read, in bytes. */
    public static final int MAXIMUM_BYTES = 64 * 1024;

    private static final ObjectReader STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    @Override
    public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
        return type == RequestBody.class;
    }

    @Override
    public RequestBody readFrom(
            Class<RequestBody> type,
            Type generic,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        if (isDeclaredTooLarge(headers.getFirst(HttpHeaders.CONTENT_LENGTH))) {
            throw tooLarge();
        }
        if (headers.getFirst(HttpHeaders.CONTENT_TYPE) == null) {
            throw new ApiException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json.");
        }
        byte[] bytes = body.readNBytes(MAXIMUM_BYTES + 1);
        if (bytes.length > MAXIMUM_BYTES) {
            throw tooLarge();
        }
        return new RequestBody(parse(bytes));
    }

    /** Whether a body need not be received at all. */
    static boolean isDeclaredTooLarge(String contentLength) {
        return contentLength != null && Long.parseLong(contentLength) > MAXIMUM_BYTES;
    }

    private static ObjectNode parse(byte[] bytes) throws IOException {
        JsonNode root;
        try {
            root = STRICT.readTree(text(bytes));
        } catch (JsonProcessingException e) {
            throw malformed(
                    "The body is not well-formed JSON, has a member twice, goes on after its end or is nested too deeply"
                            + place(e.getLocation()) + ".");
        }
        if (root.isMissingNode()) {
            throw malformed("The body is empty; it must be a JSON object.");
        }
        if (root instanceof ObjectNode object) {
            return object;
        }
        throw new ApiException(ErrorCode.VALIDATION_FAILED, "The body must be a JSON object.");
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
