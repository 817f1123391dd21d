package dev.animalstore.page;

import static jakarta.ws.rs.core.HttpHeaders.LINK;

import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jboss.resteasy.reactive.RestResponse;

/** The page of a list that a client requests, and the link to the next one. */
public final class PageRequest {
    private final UriInfo uri;
    private final String filter;
    private final int limit;
    private final long after;

    PageRequest(UriInfo uri, String filter, int limit, long after) {
        this.uri = uri;
        this.filter = filter;
        this.limit = limit;
        this.after = after;
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
        return "?limit=" + limit + filter + "&cursor=" + Cursor.encode(lastId, scope(uri, filter));
    }

    static String scope(UriInfo uri, String filter) {
        return uri.getPath() + "?" + filter;
    }
}
