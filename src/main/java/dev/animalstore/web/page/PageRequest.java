package dev.animalstore.web.page;

import static jakarta.ws.rs.core.HttpHeaders.LINK;

import dev.animalstore.web.error.ApiException;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * The page of a list that a client requests, and the link to the next one.
 *
 * <p>A cursor is the identifier of the last row before a page, with a checksum that binds it to the list and its filters. Opaque to clients:
 * 16 characters of base64url. The checksum detects mistakes, not forgery, which gains nothing: the reader of a list may read it from any
 * position.
 *
 * @param filter the filters of the list, as in a query after another parameter; empty if there is none
 * @param after the identifier after which the page begins; 0 for the first page, since identifiers are positive
 */
public record PageRequest(String path, String filter, int limit, long after) {
    private static final int CURSOR_BYTES = Long.BYTES + Integer.BYTES;

    /** 12 bytes are exactly 16 characters, so a cursor has only one form. */
    private static final Pattern CURSOR = Pattern.compile("[A-Za-z0-9_-]{16}");

    /**
     * Reads the parameters of a page.
     *
     * @param cursor where the page begins; {@code null} for the first page
     * @param filters the values of the list's filters by the parameters' names; a cursor is bound to them
     * @throws ApiException {@code invalid_parameter} if the cursor is damaged or belongs to another list or filter
     */
    public static PageRequest of(String path, Limit limit, String cursor, Map<String, String> filters) {
        String filter = filters.isEmpty() ? "" : query(filters);
        return new PageRequest(path, filter, limit.rows(), cursor == null ? 0 : lastId(cursor, scope(path, filter)));
    }

    /** In the order of the names, so that it is the same on every replica. */
    private static String query(Map<String, String> filters) {
        return new TreeMap<>(filters)
                .entrySet().stream()
                        .map(one ->
                                "&" + one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining());
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
    public <T> RestResponse<List<T>> response(List<T> rows, ToLongFunction<T> id, HttpServerRequest request) {
        if (rows.size() <= limit) {
            return RestResponse.ok(rows);
        }
        List<T> page = rows.subList(0, limit);
        return RestResponse.ResponseBuilder.ok(page)
                .header(LINK, link(request, next(id.applyAsLong(page.get(limit - 1)))))
                .build();
    }

    /** The path and query of the page after this one, whose last row is given. */
    public String next(long lastId) {
        return path + "?limit=" + limit + filter + "&cursor=" + cursor(lastId, scope(path, filter));
    }

    /** The {@code Link} to the next page, at the public scheme, host and prefix. */
    public static String link(HttpServerRequest request, String next) {
        return "<" + request.scheme() + "://" + request.authority() + prefix(request) + next + ">; rel=\"next\"";
    }

    /** What a proxy has removed from the path of a request; usually empty. */
    public static String prefix(HttpServerRequest request) {
        return Objects.requireNonNullElse(request.getHeader("X-Forwarded-Prefix"), "");
    }

    private static String scope(String path, String filter) {
        return path + "?" + filter;
    }

    static String cursor(long lastId, String scope) {
        byte[] bytes = ByteBuffer.allocate(CURSOR_BYTES)
                .putLong(lastId)
                .putInt(checksum(lastId, scope))
                .array();
        return Base64.getUrlEncoder().encodeToString(bytes);
    }

    static long lastId(String cursor, String scope) {
        if (CURSOR.matcher(cursor).matches()) {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
            long lastId = bytes.getLong();
            if (bytes.getInt() == checksum(lastId, scope)) {
                return lastId;
            }
        }
        throw ApiException.invalidParameter(
                "cursor is damaged or belongs to another list or filter; take it from a Link header.");
    }

    private static int checksum(long lastId, String scope) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(lastId).flip());
        checksum.update(scope.getBytes(StandardCharsets.UTF_8));
        return (int) checksum.getValue();
    }

    /** The maximum number of rows on a page, from {@value #MINIMUM} to {@value #MAXIMUM}. */
    @Schema(type = SchemaType.INTEGER, format = "int32", minimum = "1", maximum = "100", defaultValue = Limit.DEFAULT)
    public record Limit(int rows) {
        public static final String DEFAULT = "20";

        public static final int MINIMUM = 1;
        public static final int MAXIMUM = 100;

        /** Java would also accept a sign, and digits of other scripts. */
        private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

        /**
         * Parses the parameter; called by Jakarta REST.
         *
         * @throws ApiException {@code invalid_parameter} if it is not a whole number within the bounds
         */
        public static Limit fromString(String text) {
            long rows = DIGITS.matcher(text).matches() ? Long.parseLong(text) : 0;
            if (rows < MINIMUM || rows > MAXIMUM) {
                throw ApiException.invalidParameter(
                        "limit must be a whole number from " + MINIMUM + " to " + MAXIMUM + ".");
            }
            return new Limit((int) rows);
        }
    }
}
