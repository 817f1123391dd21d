package dev.animalstore.web.list;

import dev.animalstore.web.page.PageRequest;
import io.quarkus.runtime.util.HashUtil;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A page of a list, serialised as it is sent.
 *
 * @param body a JSON array, which must not be changed
 * @param next the path of the next page; {@code null} if there is none
 * @param tag the strong entity tag (RFC 9110, section 8.8.3): equal on every replica for equal bytes and next pages, and different otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // Pages are not compared.
record ListPage(byte[] body, String next, String tag) {
    /** 88 bits of a digest, in hexadecimal. */
    private static final int TAG_LENGTH = 22;

    /**
     * Whether {@code If-None-Match} names this page: it compares tags weakly (RFC 9110, section 13.1.2), and without an ending that a proxy
     * which compresses has added, such as {@code -gzip}. All tags have the same length.
     */
    boolean isAmong(List<String> tags) {
        String begin = tag.substring(0, tag.length() - 1);
        return tags.stream()
                .anyMatch(list -> list.contains(begin) || list.strip().equals("*"));
    }

    private static String tag(byte[] body, String next) {
        byte[] shown = next == null
                ? body
                : Buffer.buffer(body.length + next.length())
                        .appendBytes(body)
                        .appendString(next)
                        .getBytes();
        return '"' + HashUtil.sha256(shown).substring(0, TAG_LENGTH) + '"';
    }

    /** A page of rows, of which there is one more than it may hold if another page follows. */
    static <T> ListPage of(PageRequest page, List<T> rows, ToLongFunction<T> id) {
        boolean more = rows.size() > page.limit();
        List<T> shown = more ? rows.subList(0, page.limit()) : rows;
        byte[] body = Json.encodeToBuffer(shown).getBytes();
        String next = more ? page.next(id.applyAsLong(shown.get(shown.size() - 1))) : null;
        return new ListPage(body, next, tag(body, next));
    }

    /** The position of a page in a list, of the rows that pass a filter or, for {@code null}, of all. */
    record Place(ExactList<?> list, Object filter, PageRequest page) {}
}
