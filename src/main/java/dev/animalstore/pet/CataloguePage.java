package dev.animalstore.pet;

import dev.animalstore.page.PageRequest;
import io.quarkus.runtime.util.HashUtil;
import io.vertx.core.json.Json;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * A page of the catalogue, serialised as it is sent.
 *
 * @param body a JSON array of pets, which must not be changed
 * @param last the identifier of its last pet, which is positive, if more follow; otherwise 0
 * @param next the path of the next page; {@code null} if there is none
 * @param tag the strong entity tag (RFC 9110, section 8.8.3): equal on every replica for equal bytes, and different otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // Pages are not compared.
record CataloguePage(byte[] body, long last, String next, String tag) {
    /** 88 bits of a digest, in hexadecimal. */
    private static final int TAG_LENGTH = 22;

    /** Whether the client has this page, according to {@code If-None-Match} (RFC 9110, section 13.1.2), which compares tags weakly. */
    boolean isAmong(List<String> tags) {
        return tags.stream().anyMatch(list -> list.contains(tag) || list.strip().equals("*"));
    }

    private static String tag(byte[] body) {
        return '"' + HashUtil.sha256(body).substring(0, TAG_LENGTH) + '"';
    }

    /**
     * The position of a page in the catalogue.
     *
     * @param status the status of its pets; {@code null} for any
     */
    record Place(PetStatus status, PageRequest page) {}

    /** Reads pages from PostgreSQL. Blocks. */
    @Singleton
    static class Reader {
        /** The page at a position, by one query that reads one more row than the page may hold, which shows whether another page follows. */
        @ActivateRequestContext
        CataloguePage read(Place place) {
            PageRequest page = place.page();
            List<Pet> pets = Pet.page(place.status(), page.after(), page.fetchSize());
            boolean more = pets.size() > page.limit();
            List<Pet> shown = more ? pets.subList(0, page.limit()) : pets;
            byte[] body = Json.encodeToBuffer(shown).getBytes();
            long last = more ? shown.get(shown.size() - 1).id : 0;
            return new CataloguePage(body, last, more ? page.next(last) : null, tag(body));
        }
    }
}
