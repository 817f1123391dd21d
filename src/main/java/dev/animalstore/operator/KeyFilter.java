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
    private enum Order {
        OLDEST,
        NEWEST
    }

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
        State wanted = given.containsKey("state") ? parse("state", State.values(), state) : null;
        boolean newestFirst = given.containsKey("order") && parse("order", Order.values(), order) == Order.NEWEST;
        return new KeyFilter(
                given, new KeySearch(given.get("owner"), given.get("ownerIs"), given.get("plan"), wanted, newestFirst));
    }

    /** The states, as a search names them. */
    public static List<String> states() {
        return spelled(State.values());
    }

    private static <E extends Enum<E>> E parse(String parameter, E[] constants, String name) {
        int index = spelled(constants).indexOf(name);
        if (index < 0) {
            throw ApiException.invalidParameter(
                    parameter + " must be one of " + String.join(", ", spelled(constants)) + ".");
        }
        return constants[index];
    }

    private static List<String> spelled(Enum<?>[] constants) {
        return Stream.of(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
    }
}
