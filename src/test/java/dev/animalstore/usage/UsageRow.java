package dev.animalstore.usage;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;

/** A row of the table of usage, read directly from the database. */
final class UsageRow {
    private UsageRow() {}

    /** The admitted, refused and banned requests of a key on a day. */
    static List<Long> of(TestKey key, LocalDate day) {
        return Stream.of("admitted", "refused", "banned")
                .map(column -> TestDatabase.query("select " + column + " from usage_day where key_id = " + key.id()
                                + " and day = '" + day + "'")
                        .get(0))
                .toList();
    }
}
