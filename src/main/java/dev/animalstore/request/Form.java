package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of an HTML form ({@code application/x-www-form-urlencoded}), each sent at most once. Unknown fields are ignored. */
public final class Form {
    private final Map<String, String> fields;

    private Form(Map<String, String> fields) {
        this.fields = fields;
    }

    /**
     * Reads a body.
     *
     * @throws ApiException {@code validation_failed} if it is malformed or has a duplicate field
     */
    public static Form parse(byte[] body) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String pair : new String(body, StandardCharsets.UTF_8).split("&", -1)) {
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

    /** The values of all fields that were sent. */
    public Map<String, String> values() {
        return Collections.unmodifiableMap(fields);
    }

    private static String decode(String encoded) {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The form is malformed.");
        }
    }
}
