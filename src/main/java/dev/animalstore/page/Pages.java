package dev.animalstore.page;

import dev.animalstore.error.ApiException;
import dev.animalstore.request.QueryParameters;
import dev.animalstore.request.WholeNumber;
import jakarta.inject.Singleton;
import jakarta.validation.Validator;
import jakarta.ws.rs.core.UriInfo;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the parameters of a page from a request. */
@Singleton
public final class Pages {
    private final Validator validator;

    Pages(Validator validator) {
        this.validator = validator;
    }

    /**
     * Reads {@code limit} (20 if absent) and {@code cursor} of a list with one optional filter. A cursor is bound to the filter's value.
     *
     * @param filterName the parameter's name
     * @param filterValue its value, or empty if the list is not filtered
     * @throws ApiException {@code invalid_parameter} if one of them is invalid
     */
    public PageRequest read(UriInfo uri, String filterName, Optional<String> filterValue) {
        return read(uri, filterValue.map(value -> Map.of(filterName, value)).orElse(Map.of()));
    }

    /**
     * Reads {@code limit} (20 if absent) and {@code cursor} of a list with several filters. A cursor is bound to their values.
     *
     * @param filters the values by the parameters' names, in the order of the names
     * @throws ApiException {@code invalid_parameter} if {@code limit} or {@code cursor} is invalid
     */
    public PageRequest read(UriInfo uri, Map<String, String> filters) {
        QueryParameters query = new QueryParameters(uri);
        String filter = new TreeMap<>(filters)
                .entrySet().stream()
                        .map(entry -> "&" + entry.getKey() + "="
                                + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining());
        Parameters parameters = new Parameters(query.find("limit").orElse("20"));
        validator.validate(parameters).forEach(violation -> {
            throw QueryParameters.invalid(violation.getPropertyPath() + " " + violation.getMessage() + ".");
        });
        long after = query.find("cursor")
                .map(cursor -> Cursor.decode(cursor, PageRequest.scope(uri, filter))
                        .orElseThrow(() -> QueryParameters.invalid(
                                "cursor is damaged or belongs to another list or filter; take it from a Link header.")))
                .orElse(0L);
        return new PageRequest(uri, filter, Integer.parseInt(parameters.limit), after);
    }

    /**
     * The parameters that have a constraint.
     *
     * @param limit the maximum number of rows on the page
     */
    record Parameters(@WholeNumber(min = 1, max = 100) String limit) {}
}
