package dev.animalstore.web.input;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import java.net.URLDecoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of an HTML form ({@code application/x-www-form-urlencoded}), each sent at most once, and what is wrong with them.
 *
 * @param values the values by field, as they are shown
 * @param errors the reasons of a refusal by field, such as {@code must not be blank}; a sentence about no field has the empty name
 */
public record Form(Map<String, String> values, Map<String, String> errors) {
    public static final Form EMPTY = new Form(Map.of(), Map.of());

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
        return new Form(fields, Map.of());
    }

    private static String decode(String encoded) {
        try {
            String bytes = URLDecoder.decode(encoded, StandardCharsets.ISO_8859_1);
            return BodyReader.utf8(bytes.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException | CharacterCodingException malformed) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The form is malformed.");
        }
    }

    /** The value of a field; empty if the form has none. */
    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    /** The same form with the reasons of a refusal. */
    public Form refused(ApiException refusal) {
        return new Form(values, refusal.reasons().isEmpty() ? Map.of("", refusal.getMessage()) : refusal.reasons());
    }
}
