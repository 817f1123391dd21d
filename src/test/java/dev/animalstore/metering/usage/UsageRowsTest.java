package dev.animalstore.metering.usage;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;

import dev.animalstore.fixture.Statements;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.quota.DayCounters.DayCount;
import dev.animalstore.metering.quota.SubjectId;
import dev.animalstore.metering.usage.UsageReports.KeyTotal;
import io.quarkus.hibernate.orm.PersistenceUnit;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storing counts: again, late, from a Redis that lost its data, or by two collectors. Queries and removal of rows. */
@QuarkusTest
class UsageRowsTest {
    private static final LocalDate DAY = LocalDate.of(2126, 3, 1);

    private final TestKey key = TestKey.unlimited();

    @Inject
    UsageRepository usage;

    @Inject
    UsageReports reports;

    @Inject
    @PersistenceUnit("metering")
    EntityManager database;

    @AfterEach
    void removeUsage() {
        TestDatabase.execute(
                "delete from usage_day where day > '2100-01-01'; delete from api_key where owner = 'year'");
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
                "select from usage_day where key_id = " + key.id() + " for update", () -> merge(count(5, 2, 1)));
    }

    /** A DBA, or another application, may lock a key for minutes. Only its row cannot be written. */
    @Test
    void merge_ofALockedKey_writesItsUsage() {
        SubjectId locked = new SubjectId(key.id(), key.created());
        TestDatabase.during("select from api_key where id = " + key.id() + " for update", () -> {
            merge(count(5, 2, 1));
            assertThat(usage.recordLastUse(List.of(locked), Map.of(locked, 1L)), equalTo(List.of(key.id())));
        });
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

    private void merge(DayCount... counts) {
        usage.merge(List.of(counts));
    }

    @Test
    void removeOld_removesWhatIsOlderThanKept_andNothingElse() {
        TestDatabase.execute("insert into usage_day (key_id, day, plan, admitted, refused, banned)"
                + " select " + key.id() + ", (now() at time zone 'UTC')::date - n, 'free', 1, 0, 0"
                + " from generate_series(399, 1300) n");
        addChanges(399, 1500);
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

    /** As where the schema has another owner: row level security then decides which records it can remove. */
    @Test
    void removeOld_byARoleThatMayNotChangeRecords_removesThoseThatAreOlderThanKept() {
        addChanges(399, 700);
        QuarkusTransaction.begin();
        Stream.of(
                        "create role remover",
                        "grant usage on schema metering to remover",
                        "grant select, delete on metering.key_change to remover",
                        "grant select, update, delete on metering.usage_day to remover",
                        "set local role remover")
                .forEach(sql -> database.createNativeQuery(sql).executeUpdate());
        usage.removeOld();
        String kept = "select count(*) from metering.key_change where key_id = ?1 and action = 'changeKey'";
        List<Long> left = UsageReports.rows(database, Long.class, kept, key.id());
        QuarkusTransaction.rollback();
        assertThat(left, equalTo(List.of(2L)));
    }

    /** Of 50 keys that sent requests on each day of a year, of which two fill a page, and of 1,000 on its last day. */
    @ParameterizedTest
    @CsvSource({"2126-01-01,50,700", "2126-12-31,1000,900"})
    void page_ofAYear_readsNotManyMoreRowsThanItHas(LocalDate first, int used, int count) {
        List<Long> ids = TestDatabase.query(
                "insert into api_key (owner, plan) select 'year', 'free' from generate_series(1, 1000) returning id");
        TestDatabase.execute(
                "insert into usage_day (key_id, day, plan, admitted, refused, banned) select id, day, 'free', 1, 2, 3"
                        + " from (select id from api_key where owner = 'year' order by id limit " + used + ") k,"
                        + " generate_series(date '" + first + "', '2126-12-31', '1 day') day");
        QuarkusTransaction.requiringNew().run(() -> {
            assertThat(
                    reports.page(
                            LocalDate.of(2126, 1, 1), LocalDate.of(2126, 12, 31), 0, (ids.get(0) - 1) << 20, count),
                    hasSize(count));
            String read =
                    "select cast(idx_tup_fetch as integer) from pg_stat_xact_user_tables where relname = 'usage_day'";
            assertThat(UsageReports.rows(database, Integer.class, read).get(0), lessThan(5 * count));
        });
    }

    /** One that was deleted has used the most. */
    @Test
    void mostAdmitted_ofKeysThatExist_areAsManyAsWanted() {
        List<TestKey> keys = List.of(key, TestKey.of("pro"));
        keys.forEach(each -> merge(new DayCount(each.id(), each.created(), DAY.toEpochDay(), 5, 0, 0)));
        TestDatabase.execute("insert into usage_day (key_id, day, plan, admitted, refused, banned) values (0, '" + DAY
                + "', 'free', 9, 0, 0)");
        assertThat(
                reports.mostAdmitted(DAY, DAY, 2).stream().map(KeyTotal::key).toList(),
                equalTo(keys.stream().map(TestKey::id).toList()));
    }

    private void addChanges(int fromDaysAgo, int toDaysAgo) {
        TestDatabase.execute("insert into key_change (key_id, at, operator, action)"
                + " select " + key.id() + ", now() - n * interval '1 day' + interval '1 hour', 'admin', 'changeKey'"
                + " from generate_series(" + fromDaysAgo + ", " + toDaysAgo + ") n");
    }
}
