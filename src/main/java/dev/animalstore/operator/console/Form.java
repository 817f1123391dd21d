package dev.animalstore.operator.console;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of an HTML form, and what is wrong with them.
 *
 * @param values the values by field, as they are shown
 * @param errors the reasons of a refusal by field, such as {@code must not be blank}; a sentence about no field has the empty name
 */
public record Form(Map<String, String> values, Map<String, String> errors) {
    static final Form EMPTY = new Form(Map.of(), Map.of());

    /** More than a page has. */
    private static final int MAXIMUM_FIELDS = 100;

    /**
     * Reads a body of {@code application/x-www-form-urlencoded}.
     *
     * @throws ApiException {@code validation_failed} if it is malformed or has a duplicate field
     */
    static Form parse(String body) {
        try {
            Map<String, String> fields = new HashMap<>();
            new QueryStringDecoder(body, StandardCharsets.UTF_8, false, MAXIMUM_FIELDS, true)
                    .parameters()
                    .forEach((field, values) -> fields.put(field, only(values)));
            return new Form(fields, Map.of());
        } catch (IllegalArgumentException malformed) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The form is malformed.");
        }
    }

    private static String only(List<String> values) {
        if (values.size() > 1) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The form has a duplicate field.");
        }
        return values.get(0);
    }

    /** The value of a field; empty if the form has none. */
    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    /** The same form with the reasons of a refusal. */
    Form refused(ApiException refusal) {
        return new Form(values, refusal.reasons().isEmpty() ? Map.of("", refusal.getMessage()) : refusal.reasons());
    }
}
