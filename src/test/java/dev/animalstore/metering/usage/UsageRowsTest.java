package dev.animalstore.metering.usage;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.quota.DayCounters.DayCount;
import dev.animalstore.metering.quota.SubjectId;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Storing counts: again, late, from a Redis that lost its data, or by two collectors. Queries and removal of rows. */
@QuarkusTest
class UsageRowsTest {
    private static final LocalDate DAY = LocalDate.of(2126, 3, 1);

    private final TestKey key = TestKey.unlimited();

    @Inject
    UsageRepository usage;

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where day > '2100-01-01'");
    }

    /** Counts read late, or those of a Redis that was emptied, are smaller. */
    @Test
    void merge_ofCounts_keepsTheGreaterOfEach() {
        merge(count(5, 2, 1));
        merge(count(8, 2, 4));
        merge(count(5, 3, 1));
        assertThat(rows(key), equalTo("2126-03-01 8 3 4\n"));
        merge(count(9, 0, 0));
        assertThat(rows(key), equalTo("2126-03-01 9 3 4\n"));
    }

    /** The identifier was given again by a database that was restored, and Redis still has the counts from before. */
    @Test
    void merge_ofAnUnknownKeyOrAnEarlierOneWithTheIdentifier_writesNothing() {
        long created = key.created();
        merge(new DayCount(Long.MAX_VALUE, created, DAY.toEpochDay(), 1, 0, 0));
        merge(new DayCount(key.id(), created - 1, DAY.toEpochDay(), 1, 0, 0));
        assertThat(rows(key), equalTo(""));
        merge(new DayCount(key.id(), created, DAY.toEpochDay(), 1, 0, 0));
        assertThat(rows(key), equalTo("2126-03-01 1 0 0\n"));
    }

    /** A sweep would otherwise wait for whoever writes a row, and write it. */
    @Test
    void merge_ofTheSameCountsAgain_locksNothing() {
        merge(count(5, 2, 1));
        TestDatabase.during(
                "select from usage_day where key_id = " + key.id() + " for update",
                () -> assertThat(merge(count(5, 2, 1)), equalTo(List.of())));
    }

    /** A DBA, or another application, may lock a key for minutes: the usage of all others is stored. */
    @Test
    void merge_ofALockedKeyAndOthers_writesThoseOfTheOthers() {
        TestKey other = TestKey.unlimited();
        DayCount counted = new DayCount(other.id(), other.created(), DAY.toEpochDay(), 7, 0, 0);
        SubjectId locked = new SubjectId(key.id(), key.created());
        TestDatabase.during("select from api_key where id = " + key.id() + " for update", () -> {
            assertThat(merge(count(5, 2, 1), counted), equalTo(List.of(key.id())));
            assertThat(usage.recordLastUse(List.of(locked), Map.of(locked, 1L)), equalTo(List.of(key.id())));
        });
        assertThat(rows(key), equalTo(""));
        assertThat(rows(other), equalTo("2126-03-01 7 0 0\n"));
        assertThat(merge(count(5, 2, 1)), equalTo(List.of()));
        assertThat(rows(key), equalTo("2126-03-01 5 2 1\n"));
    }

    /** A replica that freezes between two statements of a transaction would hold the locks of the first. */
    @Test
    void merge_always_isCommittedByTheServer() {
        assertThat(Statements.of(() -> merge(count(5, 2, 1))), not(hasItem("BEGIN")));
        assertThat(rows(key), equalTo("2126-03-01 5 2 1\n"));
    }

    /** Bills. The key has another plan when the counts of yesterday are collected. */
    @Test
    void merge_afterAChangeOfThePlan_keepsThePlanOfPastDays() {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        TestKey pro = TestKey.of("pro");
        for (LocalDate day : List.of(today.minusDays(1), today)) {
            merge(new DayCount(pro.id(), pro.created(), day.toEpochDay(), 1, 0, 0));
        }
        pro.update("plan = 'business'");
        for (LocalDate day : List.of(today.minusDays(1), today)) {
            merge(new DayCount(pro.id(), pro.created(), day.toEpochDay(), 2, 0, 0));
        }
        String rows = "select concat_ws(' ', day, plan, admitted) from usage_day where key_id = " + pro.id()
                + " order by day";
        assertThat(TestDatabase.text(rows), equalTo(today.minusDays(1) + " pro 2\n" + today + " business 2\n"));
    }

    /** The rows of a key: day, admitted, refused and banned requests. */
    static String rows(TestKey key) {
        return TestDatabase.text("select concat_ws(' ', day, admitted, refused, banned) from usage_day where key_id = "
                + key.id() + " order by day");
    }

    private DayCount count(long admitted, long refused, long banned) {
        return new DayCount(key.id(), key.created(), DAY.toEpochDay(), admitted, refused, banned);
    }

    private List<Long> merge(DayCount... counts) {
        return usage.merge(List.of(counts));
    }

    @Test
    void removeOld_removesWhatIsOlderThanKept_andNothingElse() {
        TestDatabase.execute("insert into usage_day (key_id, day, plan, admitted, refused, banned)"
                + " select " + key.id() + ", (now() at time zone 'UTC')::date - n, 'free', 1, 0, 0"
                + " from generate_series(399, 1300) n");
        TestDatabase.execute("insert into key_change (changed, key_id, at, operator, action)"
                + " select cast(cast(1000000 + n as text) as xid8), " + key.id()
                + ", now() - n * interval '1 day' + interval '1 hour', 'admin', 'changeKey'"
                + " from generate_series(399, 1500) n");
        usage.removeOld();
        assertThat(
                TestDatabase.query(
                        "select (now() at time zone 'UTC')::date - day from usage_day where key_id = " + key.id()),
                equalTo(List.of(399L, 400L)));
        assertThat(
                TestDatabase.query("select extract(day from now() - at)::int from key_change where action = 'changeKey'"
                        + " and key_id = " + key.id()),
                equalTo(List.of(398L, 399L)));
    }
}
