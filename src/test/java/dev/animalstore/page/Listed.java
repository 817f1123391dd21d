package dev.animalstore.page;

import dev.animalstore.fixture.TestDatabase;
import java.util.List;
import java.util.function.BiFunction;

/**
 * What the interface has lists of.
 *
 * @param path where the list is
 * @param table where the rows are
 * @param statuses what a row's status may be
 * @param adding adds so many rows of a status and returns their identifiers
 */
public record Listed(String path, String table, List<String> statuses, BiFunction<Integer, String, List<Long>> adding) {
    /** Those of the catalogue. */
    public static final Listed PETS =
            new Listed("/v1/pets", "pet", List.of("pending", "sold", "available"), TestDatabase::addPets);

    /** Those of the store. */
    public static final Listed ORDERS = new Listed(
            "/v1/store/orders", "store_order", List.of("placed", "approved", "delivered"), TestDatabase::addOrders);

    List<Long> add(int count, String status) {
        return adding.apply(count, status);
    }

    /** One that has a list of its own. */
    Listed other() {
        return equals(PETS) ? ORDERS : PETS;
    }
}
