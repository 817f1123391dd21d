package dev.animalstore.input;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The fields of an HTML form ({@code application/x-www-form-urlencoded}), each sent at most once. */
public record Form(Map<String, String> fields) {
    /**
     * Reads a body.
     *
     * @throws ApiException {@code validation_failed} if it is malformed or has a duplicate field
     */
    static Form parse(byte[] body) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
            String[] sides = pair.split("=", 2);
            if (!pair.isEmpty() && fields.put(decode(sides[0]), sides.length == 1 ? "" : decode(sides[1])) != null) {
                throw new ApiException(ErrorCode.VALIDATION_FAILED, "The form has a duplicate field.");
            }
        }
        return new Form(fields);
    }

    /** The value of a field; empty if the field was not sent. */
    public String text(String name) {
        return fields.getOrDefault(name, "");
    }

    private static String decode(String encoded) {
        try {
            String bytes = URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException malformed) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The form is malformed.");
        }
    }
}
