package dev.animalstore.page;

import static jakarta.ws.rs.core.HttpHeaders.LINK;

import dev.animalstore.error.ApiException;
import jakarta.ws.rs.core.UriInfo;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jboss.resteasy.reactive.RestResponse;

/** The page of a list that a client requests, and the link to the next one. */
public final class PageRequest {
    private final UriInfo uri;
    private final String filter;
    private final int limit;
    private final long after;

    /**
     * Reads the parameters of a page.
     *
     * @param cursor where the page begins; {@code null} for the first page
     * @param filters the values of the list's filters by the parameters' names; a cursor is bound to them
     * @throws ApiException {@code invalid_parameter} if the cursor belongs to another list or filter
     */
    public PageRequest(UriInfo uri, Limit limit, Cursor cursor, Map<String, String> filters) {
        this.uri = uri;
        this.filter = filters.isEmpty() ? "" : query(filters);
        this.limit = limit.rows();
        this.after = cursor == null ? 0 : cursor.lastId(scope());
    }

    /** In the order of the names, so that it is the same on every replica. */
    private static String query(Map<String, String> filters) {
        StringBuilder query = new StringBuilder();
        new TreeMap<>(filters)
                .forEach((name, value) -> query.append('&')
                        .append(name)
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return query.toString();
    }

    /** The identifier after which the page begins; 0 for the first page, since identifiers are positive. */
    public long after() {
        return after;
    }

    /** The maximum number of rows on the page. */
    public int limit() {
        return limit;
    }

    /** How many rows to read: one more than the page may hold, which shows whether another page follows. */
    public int fetchSize() {
        return limit + 1;
    }

    /**
     * The response: at most {@code limit} of the rows, and a {@code Link} to the next page if there are more.
     *
     * @param rows up to {@link #fetchSize()} rows after {@link #after()}, in ascending order of their identifiers
     * @param id the identifier of a row
     */
    public <T> RestResponse<List<T>> response(List<T> rows, ToLongFunction<T> id) {
        if (rows.size() <= limit) {
            return RestResponse.ok(rows);
        }
        List<T> page = rows.subList(0, limit);
        return RestResponse.ResponseBuilder.ok(page)
                .header(LINK, linkAfter(id.applyAsLong(page.get(limit - 1))))
                .build();
    }

    /** The {@code Link} to the page after this one, whose last row is given. */
    public String linkAfter(long lastId) {
        return "<" + uri.getAbsolutePath() + queryAfter(lastId) + ">; rel=\"next\"";
    }

    /** The query string of the page after this one, with its question mark. */
    public String queryAfter(long lastId) {
        return "?limit=" + limit + filter + "&cursor="
                + Cursor.of(lastId, scope()).text();
    }

    private String scope() {
        return uri.getPath() + "?" + filter;
    }
}
