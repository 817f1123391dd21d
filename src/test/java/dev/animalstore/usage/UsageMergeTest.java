package dev.animalstore.usage;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.quota.DayCount;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Merging counts into rows: again, late, from a new incarnation or by two collectors. */
@QuarkusTest
class UsageMergeTest {
    private static final LocalDate DAY = LocalDate.of(2126, 3, 1);

    private final TestKey key = TestKey.unlimited();

    @Inject
    UsageRepository usage;

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where day > '2100-01-01'");
    }

    @Test
    void merge_ofTheSameCountsAgain_changesNothing() {
        merge(count(5, 2, 1, 100));
        merge(count(5, 2, 1, 100));
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(5L, 2L, 1L)));
    }

    @Test
    void merge_ofMore_addsTheDifference() {
        merge(count(5, 2, 1, 100));
        merge(count(8, 2, 4, 100));
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(8L, 2L, 4L)));
    }

    @Test
    void merge_ofOlderCountsOfTheSameIncarnation_changesNothing() {
        merge(count(8, 2, 4, 100));
        merge(count(5, 2, 1, 100));
        merge(count(9, 2, 4, 100));
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(9L, 2L, 4L)));
    }

    @Test
    void merge_ofANewIncarnation_addsAll() {
        merge(count(8, 2, 4, 100));
        merge(count(3, 0, 1, 200));
        merge(count(8, 2, 4, 100));
        merge(count(4, 0, 1, 200));
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(12L, 2L, 5L)));
    }

    @Test
    void merge_ofSeveralIncarnationsAtOnce_addsAll() {
        merge(count(3, 0, 1, 200), count(8, 2, 4, 100));
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(11L, 2L, 5L)));
    }

    @Test
    void merge_ofAnUnknownKey_writesNothing() {
        long unknown = Long.MAX_VALUE;
        usage.merge(List.of(new DayCount(unknown, DAY, 1, 0, 0, 1)), Map.of());
        assertThat(TestDatabase.query("select 1 from usage_day where key_id = " + unknown), equalTo(List.of()));
    }

    @Test
    void addOnce_repeatedAfterItsResponseWasLost_addsOnce() {
        UUID replica = UUID.randomUUID();
        merge(count(5, 2, 1, 100));
        usage.addOnce(replica, 1, List.of(count(3, 1, 0, 0)));
        usage.addOnce(replica, 1, List.of(count(3, 1, 0, 0)));
        usage.addOnce(replica, 2, List.of(count(-1, 1, 0, 0)));
        merge(count(6, 2, 1, 100));
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(8L, 4L, 1L)));
    }

    @Test
    void merge_byTwoCollectorsAtOnce_countsOnce() {
        List<Long> keys = TestDatabase.query(
                "insert into api_key (owner, plan) select 'two', 'free' from generate_series(1, 400) returning id");
        try {
            List<CompletableFuture<Void>> collectors = Stream.of(1, 2)
                    .map(collector -> CompletableFuture.runAsync(
                            () -> {
                                for (int counted = 1; counted <= 10; counted++) {
                                    int admitted = counted;
                                    usage.merge(
                                            keys.stream()
                                                    .map(each -> new DayCount(each, DAY, admitted, admitted, 0, 7))
                                                    .toList(),
                                            Map.of());
                                }
                            },
                            run -> new Thread(run).start()))
                    .toList();
            collectors.forEach(CompletableFuture::join);
            assertThat(
                    TestDatabase.query(
                            "select sum(admitted) from usage_day join api_key on id = key_id where owner = 'two'"),
                    equalTo(List.of(4000L)));
        } finally {
            TestDatabase.execute("delete from api_key where owner = 'two'");
        }
    }

    private DayCount count(long admitted, long refused, long banned, long incarnation) {
        return new DayCount(key.id(), DAY, admitted, refused, banned, incarnation);
    }

    private void merge(DayCount... counts) {
        usage.merge(List.of(counts), Map.of());
    }
}
