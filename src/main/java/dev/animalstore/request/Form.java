package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of an HTML form ({@code application/x-www-form-urlencoded}), each sent at most once. Unknown fields are ignored. */
public final class Form implements Received {
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
        for (String pair : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = decode(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
                if (fields.putIfAbsent(name, value) != null) {
                    throw invalid("The form has a duplicate field.");
                }
            }
        }
        return new Form(fields);
    }

    /** The value of a field; empty if the field was not sent. */
    public String text(String name) {
        return fields.getOrDefault(name, "");
    }

    /** Whether a field was sent, empty or not. */
    public boolean has(String name) {
        return fields.containsKey(name);
    }

    private static String decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                bytes.write(octet(encoded, i + 1));
                i += 2;
            } else {
                bytes.write(c == '+' ? ' ' : c);
            }
        }
        try {
            return Utf8.decode(bytes.toByteArray());
        } catch (CharacterCodingException e) {
            throw invalid("The form is not UTF-8.");
        }
    }

    private static int octet(String encoded, int from) {
        int high = from + 1 < encoded.length() ? Character.digit(encoded.charAt(from), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(encoded.charAt(from + 1), 16);
        if (low < 0) {
            throw invalid("The form is malformed.");
        }
        return high * 16 + low;
    }

    private static ApiException invalid(String message) {
        return new ApiException(ErrorCode.VALIDATION_FAILED, message);
    }

    /** Without the values, since one may be a token. */
    @Override
    public String toString() {
        return "Form" + fields.keySet();
    }
}
