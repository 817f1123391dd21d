package dev.animalstore.pet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;

/** Reads pages of the catalogue from PostgreSQL. Blocks. */
@Singleton
class CatalogueReader {
    private final ObjectWriter json;

    CatalogueReader(ObjectMapper json) {
        this.json = json.writerFor(Pet[].class);
    }

    /** The page at a position, by one query that reads one more row than the page may hold, which shows whether another page follows. */
    @ActivateRequestContext
    CataloguePage read(Place place) {
        List<Pet> pets = Pet.page(place.status(), place.after(), place.limit() + 1);
        boolean more = pets.size() > place.limit();
        Pet[] page = pets.subList(0, Math.min(pets.size(), place.limit())).toArray(Pet[]::new);
        try {
            return new CataloguePage(
                    json.writeValueAsBytes(page),
                    more ? OptionalLong.of(page[page.length - 1].id) : OptionalLong.empty());
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
