package dev.animalstore.console;

import dev.animalstore.key.KeyFilter;
import dev.animalstore.key.KeyState;
import java.util.List;
import java.util.Locale;

/**
 * A page of keys.
 *
 * @param filter which keys were asked for
 * @param keys at most as many as a page has
 * @param next the address of the page after this one; empty on the last one
 * @param first whether it is the first page
 */
record KeyList(KeyFilter filter, List<KeyView> keys, String next, boolean first) {
    /** What was typed as the beginning of the owner. */
    public String owner() {
        return filter.ownerPrefix().orElse("");
    }

    /** The plan that was chosen, or empty. */
    public String plan() {
        return filter.plan().orElse("");
    }

    /** The state that was chosen, or empty. */
    public String state() {
        return filter.state().map(KeyList::spelled).orElse("");
    }

    /** All states that can be chosen. */
    public List<String> states() {
        return List.of(KeyState.values()).stream().map(KeyList::spelled).toList();
    }

    /** Whether any key may be shown. */
    public boolean unfiltered() {
        return owner().isEmpty() && plan().isEmpty() && state().isEmpty();
    }

    /** Whether bans and quotas are those of all replicas. */
    public boolean shared() {
        return keys.stream().allMatch(KeyView::shared);
    }

    private static String spelled(KeyState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
