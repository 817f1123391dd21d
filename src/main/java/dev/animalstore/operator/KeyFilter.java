package dev.animalstore.operator;

import dev.animalstore.operator.KeySearch.State;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.input.EnumParameter;
import java.util.HashMap;
import java.util.Map;

/**
 * The parameters of a search for keys, which are those of {@code /admin/keys} and of the console.
 *
 * @param given the values of those that are given, by name
 */
public record KeyFilter(Map<String, String> given, KeySearch search) {
    private enum Order {
        OLDEST,
        NEWEST
    }

    /**
     * The search that parameters ask for; one that is {@code null} or empty is not given.
     *
     * @throws ApiException {@code invalid_parameter} if there is no such state or order
     */
    public static KeyFilter of(String owner, String plan, String state, String order) {
        Map<String, String> given = new HashMap<>();
        given.put("owner", owner);
        given.put("plan", plan);
        given.put("state", state);
        given.put("order", order);
        given.values().removeIf(value -> value == null || value.isEmpty());
        State wanted = given.containsKey("state") ? EnumParameter.parse("state", State.class, state) : null;
        boolean newestFirst =
                given.containsKey("order") && EnumParameter.parse("order", Order.class, order) == Order.NEWEST;
        return new KeyFilter(given, new KeySearch(given.get("owner"), given.get("plan"), wanted, newestFirst));
    }
}
