package dev.animalstore.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the present secret of a key may work on after a rotation.
 *
 * @param seconds what is sent
 * @param label what is read
 * @param chosen whether it is the choice at present
 */
record Grace(String seconds, String label, boolean chosen) {
    private static final String DAY = Long.toString(Duration.ofDays(1).toSeconds());

    /** All choices. What was sent is one of them, and a day is chosen before anything is. */
    static List<Grace> choices(String sent) {
        String present = sent.isEmpty() ? DAY : sent;
        List<Grace> all = new ArrayList<>(List.of(
                grace(Duration.ZERO, "no longer: it stops at once", present),
                grace(Duration.ofHours(1), "1 hour", present),
                grace(Duration.ofDays(1), "1 day", present),
                grace(Duration.ofDays(7), "7 days", present),
                grace(Duration.ofDays(30), "30 days", present)));
        if (all.stream().noneMatch(Grace::chosen)) {
            all.add(new Grace(present, present + " s", true));
        }
        return all;
    }

    private static Grace grace(Duration length, String label, String present) {
        String seconds = Long.toString(length.toSeconds());
        return new Grace(seconds, label, seconds.equals(present));
    }
}
