package dev.animalstore.request;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;

/** The query parameters of a request, each given at most once. Unknown ones are ignored. */
public final class QueryParameters {
    private final UriInfo uri;

    public QueryParameters(UriInfo uri) {
        this.uri = uri;
    }

    /**
     * The decoded text of a parameter.
     *
     * @throws ApiException {@code invalid_parameter} where it is given more than once, or with NUL, which no text in PostgreSQL holds
     */
    public Optional<String> find(String name) {
        List<String> values = uri.getQueryParameters().getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw invalid(name + " is given more than once.");
        }
        if (values.stream().anyMatch(value -> value.indexOf('\0') >= 0)) {
            throw invalid(name + " must not contain the character NUL.");
        }
        return values.stream().findFirst();
    }

    /**
     * A parameter that takes the constants of an enumeration, spelled in lower case.
     *
     * @throws ApiException {@code invalid_parameter} where it is another text
     */
    public <E extends Enum<E>> Optional<E> find(String name, Class<E> values) {
        return find(name)
                .map(text -> EnumParameter.find(values, text)
                        .orElseThrow(() -> invalid(name + " must be one of " + EnumParameter.list(values) + ".")));
    }

    /** The refusal of a parameter that its reader finds wrong. */
    public static ApiException invalid(String message) {
        return new ApiException(ErrorCode.INVALID_PARAMETER, message);
    }
}
