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
     * The decoded value of a parameter.
     *
     * @throws ApiException {@code invalid_parameter} if it is given more than once, or contains NUL, which PostgreSQL cannot store
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
     * A parameter that is a constant of an enumeration, in lower case.
     *
     * @throws ApiException {@code invalid_parameter} if it is not one of them
     */
    public <E extends Enum<E>> Optional<E> find(String name, Class<E> values) {
        return find(name)
                .map(text -> EnumParameter.find(values, text)
                        .orElseThrow(() -> invalid(name + " must be one of " + EnumParameter.list(values) + ".")));
    }

    /** An {@code invalid_parameter} with a message. */
    public static ApiException invalid(String message) {
        return new ApiException(ErrorCode.INVALID_PARAMETER, message);
    }
}
