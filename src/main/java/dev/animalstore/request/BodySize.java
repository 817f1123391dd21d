package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.IOException;
import java.io.InputStream;

/** The maximum size of a body. */
final class BodySize {
    /** The largest body that is read, in bytes. */
    static final int MAXIMUM_BYTES = 64 * 1024;

    private BodySize() {}

    /** Whether the headers already show that a body is too large. */
    static boolean isDeclaredTooLarge(String contentLength) {
        return contentLength != null && Long.parseLong(contentLength) > MAXIMUM_BYTES;
    }

    /**
     * Refuses a body whose {@code Content-Length} is too large.
     *
     * @throws ApiException {@code payload_too_large}
     */
    static void verify(MultivaluedMap<String, String> headers) {
        if (isDeclaredTooLarge(headers.getFirst(HttpHeaders.CONTENT_LENGTH))) {
            throw tooLarge();
        }
    }

    /**
     * Reads a whole body.
     *
     * @throws ApiException {@code payload_too_large}
     */
    static byte[] read(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(MAXIMUM_BYTES + 1);
        if (bytes.length > MAXIMUM_BYTES) {
            throw tooLarge();
        }
        return bytes;
    }

    private static ApiException tooLarge() {
        return new ApiException(ErrorCode.PAYLOAD_TOO_LARGE, "The body must not exceed " + MAXIMUM_BYTES + " bytes.");
    }
}
