package dev.animalstore.store.pet;

import dev.animalstore.web.page.PageRequest;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.util.HashUtil;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * A page of the catalogue, serialised as it is sent.
 *
 * @param body a JSON array of pets, which must not be changed
 * @param next the path of the next page; {@code null} if there is none
 * @param tag the strong entity tag (RFC 9110, section 8.8.3): equal on every replica for equal bytes and next pages, and different otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // Pages are not compared.
record CataloguePage(byte[] body, String next, String tag) {
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

    /** The position of a page in the catalogue, of one status or, for {@code null}, of any. */
    record Place(PetStatus status, PageRequest page) {}

    /** Reads pages from PostgreSQL. Blocks. */
    @Singleton
    static class Reader {
        /** The first page: a database that refuses it prevents the start, and later ones take no longer than others. */
        void verify(@Observes StartupEvent started) {
            read(new Place(null, new PageRequest(PetResource.PATH, "", 1, 0)));
        }

        /** The page at a position, by one query that reads one more row than the page may hold, which shows whether another page follows. */
        @ActivateRequestContext
        CataloguePage read(Place place) {
            PageRequest page = place.page();
            List<Pet> pets = Pet.page(place.status(), page.after(), page.fetchSize());
            boolean more = pets.size() > page.limit();
            List<Pet> shown = more ? pets.subList(0, page.limit()) : pets;
            byte[] body = Json.encodeToBuffer(shown).getBytes();
            String next = more ? page.next(shown.get(shown.size() - 1).id) : null;
            return new CataloguePage(body, next, tag(body, next));
        }
    }
}
