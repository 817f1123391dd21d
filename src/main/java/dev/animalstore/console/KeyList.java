package dev.animalstore.console;

import dev.animalstore.key.KeyFilter;
import dev.animalstore.key.KeyState;
import java.util.List;
import java.util.Locale;

/**
 * A page of the list of keys.
 *
 * @param filter the filter of the list
 * @param keys the keys on the page
 * @param next the address of the next page; empty on the last one
 * @param first whether it is the first page
 */
record KeyList(KeyFilter filter, List<KeyView> keys, String next, boolean first) {
    /** The owner's prefix of the filter. */
    public String owner() {
        return filter.ownerPrefix().orElse("");
    }

    /** The selected plan, or empty. */
    public String plan() {
        return filter.plan().orElse("");
    }

    /** The selected state, or empty. */
    public String state() {
        return filter.state().map(KeyList::spelled).orElse("");
    }

    /** All states. */
    public List<String> states() {
        return List.of(KeyState.values()).stream().map(KeyList::spelled).toList();
    }

    /** Whether there is no filter. */
    public boolean unfiltered() {
        return owner().isEmpty() && plan().isEmpty() && state().isEmpty();
    }

    /** Whether bans and quotas are those of all replicas, rather than local ones of this replica. */
    public boolean shared() {
        return keys.stream().allMatch(KeyView::shared);
    }

    private static String spelled(KeyState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
