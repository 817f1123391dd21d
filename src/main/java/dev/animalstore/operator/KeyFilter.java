package dev.animalstore.operator;

import dev.animalstore.operator.KeySearch.State;
import dev.animalstore.web.error.ApiException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The parameters of a search for keys, which are those of {@code /admin/keys} and of the console.
 *
 * @param given the values of those that are given, by name
 */
public record KeyFilter(Map<String, String> given, KeySearch search) {
    private static final List<String> STATES = Stream.of(State.values())
            .map(state -> state.name().toLowerCase(Locale.ROOT))
            .toList();

    private static final List<String> ORDERS = List.of("oldest", "newest");

    /**
     * The search that parameters ask for; one that is {@code null} or empty is not given.
     *
     * @throws ApiException {@code invalid_parameter} if there is no such state or order
     */
    public static KeyFilter of(String owner, String ownerIs, String plan, String state, String order) {
        Map<String, String> given = new HashMap<>();
        given.put("owner", owner);
        given.put("ownerIs", ownerIs);
        given.put("plan", plan);
        given.put("state", state);
        given.put("order", order);
        given.values().removeIf(value -> value == null || value.isEmpty());
        verify(given, "state", STATES);
        verify(given, "order", ORDERS);
        State wanted = given.containsKey("state") ? State.valueOf(state.toUpperCase(Locale.ROOT)) : null;
        boolean newestFirst = "newest".equals(order);
        return new KeyFilter(
                given, new KeySearch(given.get("owner"), given.get("ownerIs"), given.get("plan"), wanted, newestFirst));
    }

    /** The states, as a search names them. */
    public static List<String> states() {
        return STATES;
    }

    private static void verify(Map<String, String> given, String parameter, List<String> names) {
        if (!names.contains(given.getOrDefault(parameter, names.get(0)))) {
            throw ApiException.invalidParameter(parameter + " must be one of " + String.join(", ", names) + ".");
        }
    }
}
