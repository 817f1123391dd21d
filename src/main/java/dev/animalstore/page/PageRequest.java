package dev.animalstore.page;

import static jakarta.ws.rs.core.HttpHeaders.LINK;

import dev.animalstore.error.ApiException;
import dev.animalstore.request.QueryParameters;
import jakarta.ws.rs.core.UriInfo;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jboss.resteasy.reactive.RestResponse;

/** Which page of a list is asked for, and how the answer says where the next one is. */
public final class PageRequest {
    /** The most rows that one page holds. */
    public static final int MAXIMUM_LIMIT = 100;

    private static final int DEFAULT_LIMIT = 20;

    private final UriInfo uri;
    private final String filter;
    private final int limit;
    private final long after;

    private PageRequest(UriInfo uri, String filter, int limit, long after) {
        this.uri = uri;
        this.filter = filter;
        this.limit = limit;
        this.after = after;
    }

    /**
     * Reads {@code limit} (1 to 100, 20 when absent) and {@code cursor} of a list without a filter.
     *
     * @throws ApiException {@code invalid_parameter} where one of them is invalid
     */
    public static PageRequest of(UriInfo uri) {
        return of(uri, "", Optional.empty());
    }

    /**
     * Reads {@code limit} and {@code cursor} of a list that may be filtered by one parameter. A cursor is bound to the filter's value.
     *
     * @param filterName the parameter's name
     * @param filterValue its value, or empty where the list is not filtered
     * @throws ApiException {@code invalid_parameter} where one of them is invalid
     */
    public static PageRequest of(UriInfo uri, String filterName, Optional<String> filterValue) {
        QueryParameters query = new QueryParameters(uri);
        String filter = filterValue
                .map(value -> "&" + filterName + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8))
                .orElse("");
        int limit = query.integer("limit", 1, MAXIMUM_LIMIT, DEFAULT_LIMIT);
        long after = query.find("cursor")
                .map(cursor -> Cursor.decode(cursor, scope(uri, filter))
                        .orElseThrow(() -> QueryParameters.invalid(
                                "cursor is damaged or belongs to another list or filter; take it from a Link header.")))
                .orElse(0L);
        return new PageRequest(uri, filter, limit, after);
    }

    /** The identifier after which the page begins; 0 for the first page, since identifiers are positive. */
    public long after() {
        return after;
    }

    /** How many rows to read: one more than the page holds, which tells whether another page follows. */
    public int fetchSize() {
        return limit + 1;
    }

    /**
     * The answer: at most {@code limit} of the rows, and a {@code Link} to the next page where there are more.
     *
     * @param rows up to {@link #fetchSize()} rows after {@link #after()}, in ascending order of their identifiers
     * @param id the identifier of a row
     */
    public <T> RestResponse<List<T>> answer(List<T> rows, ToLongFunction<T> id) {
        if (rows.size() <= limit) {
            return RestResponse.ok(rows);
        }
        List<T> page = rows.subList(0, limit);
        String cursor = Cursor.encode(id.applyAsLong(page.get(limit - 1)), scope(uri, filter));
        String next = uri.getAbsolutePath() + "?limit=" + limit + filter + "&cursor=" + cursor;
        return RestResponse.ResponseBuilder.ok(page)
                .header(LINK, "<" + next + ">; rel=\"next\"")
                .build();
    }

    private static String scope(UriInfo uri, String filter) {
        return uri.getPath() + "?" + filter;
    }
}
