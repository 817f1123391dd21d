package dev.animalstore.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A choice of how long the existing secret of a key still works after a rotation.
 *
 * @param seconds the value that the form sends
 * @param label the text that is shown
 * @param chosen whether it is selected
 */
record Grace(String seconds, String label, boolean chosen) {
    private static final String DAY = Long.toString(Duration.ofDays(1).toSeconds());

    /** All choices, including the value that was sent. A day is selected by default. */
    static List<Grace> choices(String sent) {
        String selected = sent.isEmpty() ? DAY : sent;
        List<Grace> all = new ArrayList<>(List.of(
                grace(Duration.ZERO, "not at all: it stops at once", selected),
                grace(Duration.ofHours(1), "1 hour", selected),
                grace(Duration.ofDays(1), "1 day", selected),
                grace(Duration.ofDays(7), "7 days", selected),
                grace(Duration.ofDays(30), "30 days", selected)));
        if (all.stream().noneMatch(Grace::chosen)) {
            all.add(new Grace(selected, selected + " s", true));
        }
        return all;
    }

    private static Grace grace(Duration length, String label, String selected) {
        String seconds = Long.toString(length.toSeconds());
        return new Grace(seconds, label, seconds.equals(selected));
    }
}
