package dev.animalstore.page;

import dev.animalstore.fixture.TestDatabase;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A list of the API.
 *
 * @param path its path
 * @param table the table of its rows
 * @param statuses the possible statuses of a row
 * @param adding adds a number of rows of a status and returns their identifiers
 */
public record Listed(String path, String table, List<String> statuses, BiFunction<Integer, String, List<Long>> adding) {
    /** The list of pets. */
    public static final Listed PETS =
            new Listed("/v1/pets", "pet", List.of("pending", "sold", "available"), TestDatabase::addPets);

    /** The list of orders. */
    public static final Listed ORDERS = new Listed(
            "/v1/store/orders", "store_order", List.of("placed", "approved", "delivered"), TestDatabase::addOrders);

    List<Long> add(int count, String status) {
        return adding.apply(count, status);
    }

    /** The other list. */
    Listed other() {
        return equals(PETS) ? ORDERS : PETS;
    }
}
