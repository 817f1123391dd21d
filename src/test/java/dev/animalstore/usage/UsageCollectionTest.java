package dev.animalstore.usage;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.quota.DayCount;
import dev.animalstore.quota.DayCounters;
import dev.animalstore.quota.Decision;
import dev.animalstore.quota.Decision.Outcome;
import dev.animalstore.quota.Limits;
import dev.animalstore.quota.ScriptRunner;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.redis.client.Command;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The script's counts are in the rows after a replica has collected them, whatever happened in between. */
@QuarkusTest
class UsageCollectionTest {
    private static final LocalDate DAY = LocalDate.of(2126, 3, 1);

    /** Far ahead, since Redis deletes at once what expires in its own past. */
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");

    private static ScriptRunner redis;

    private final TestKey key = TestKey.unlimited();

    @Inject
    UsageRepository usage;

    @Inject
    DayCounters counters;

    @BeforeAll
    static void connect() {
        redis = new ScriptRunner();
    }

    @AfterAll
    static void disconnect() {
        redis.close();
    }

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where day > '2100-01-01'");
    }

    @Test
    void counts_ofADayThatEndedBeforeACollection_areNotLost() {
        Limits limits = new Limits(2, 10);
        Stream.of(0, 0, 0, 0, 0, 1, 1, 1).forEach(day -> spend(limits, NOON.plus(Duration.ofDays(day))));
        collect();
        collect();
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(2L, 2L, 1L)));
        assertThat(UsageRow.of(key, DAY.plusDays(1)), equalTo(List.of(2L, 1L, 0L)));
        assertThat(redis.send(Command.HGET, hash(), "du"), equalTo(null));
    }

    @Test
    void counts_ofARefusalThatOpensTheDay_areOfThatDay() {
        Limits limits = new Limits(1, 10);
        Instant beforeMidnight = Instant.parse("2126-03-01T23:59:59Z");
        spend(limits, beforeMidnight);
        spend(limits, beforeMidnight.plusSeconds(2));
        collect();
        assertThat(UsageRow.of(key, DAY), equalTo(List.of(1L, 0L, 0L)));
        assertThat(UsageRow.of(key, DAY.plusDays(1)), equalTo(List.of(0L, 1L, 0L)));
    }

    /** Seeds are fixed, so that a failure can be repeated. */
    @RepeatedTest(60)
    void counts_afterAnySequence_areThoseOfTheModel(RepetitionInfo repetition) {
        Run run = new Run(new Random(repetition.getCurrentRepetition()));
        for (int step = 0; step < 120; step++) {
            run.step();
        }
        collect();
        run.model.forEach((day, counts) -> assertThat(day.toString(), UsageRow.of(key, day), equalTo(counts)));
        assertThat(
                TestDatabase.query("select count(*) from usage_day where key_id = " + key.id()),
                equalTo(List.of((long) run.model.size())));
    }

    /** A random sequence of requests and collections of one key, with the expected counts. */
    private final class Run {
        private final Random random;
        private final Map<LocalDate, List<Long>> model = new TreeMap<>();
        private final List<List<DayCount>> collected = new ArrayList<>();
        private final UUID replica = UUID.randomUUID();
        private long additions;
        private Instant now = NOON;

        Run(Random random) {
            this.random = random;
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0 -> now = now.plus(Duration.ofHours(random.nextInt(30)));
                case 1 -> now = now.plusSeconds(random.nextInt(120));
                case 2 -> now = now.minus(Duration.ofHours(random.nextInt(30)));
                case 3, 4 -> collected.add(collect());
                case 5 ->
                    collected.stream()
                            .skip(random.nextInt(collected.size() + 1))
                            .forEach(late -> usage.merge(late, Map.of()));
                case 6 -> addLocally();
                case 7 -> loseRedis();
                // The plan changes from request to request.
                default ->
                    count(spend(new Limits(1 + random.nextInt(4), 1 + random.nextInt(20)), now)
                            .outcome());
            }
        }

        private void addLocally() {
            count(Outcome.REFUSED);
            additions++;
            DayCount refused = new DayCount(key.id(), LocalDate.ofInstant(now, ZoneOffset.UTC), 0, 1, 0, 0);
            for (int again = random.nextInt(2); again >= 0; again--) {
                usage.addOnce(replica, additions, List.of(refused));
            }
        }

        /** Collects the counts and deletes them from Redis. The clock moves so far that it does not return to before the loss. */
        private void loseRedis() {
            collect();
            redis.send(Command.DEL, hash());
            now = now.plus(Duration.ofDays(400));
        }

        private void count(Outcome outcome) {
            int column = List.of(Outcome.values()).indexOf(outcome);
            List<Long> counts =
                    new ArrayList<>(model.getOrDefault(LocalDate.ofInstant(now, ZoneOffset.UTC), List.of(0L, 0L, 0L)));
            counts.set(column, counts.get(column) + 1);
            model.put(LocalDate.ofInstant(now, ZoneOffset.UTC), counts);
        }
    }

    private Decision spend(Limits limits, Instant time) {
        return redis.spend(key.id(), 1, limits, time);
    }

    private List<DayCount> collect() {
        DayCounters.Reading reading =
                ScriptRunner.await(counters.read(List.of(key.id()))).get(0);
        usage.merge(reading.days(), Map.of());
        if (!reading.past().isEmpty()) {
            ScriptRunner.await(counters.forgetPast(reading));
        }
        return reading.days();
    }

    private String hash() {
        return "animalstore:{" + key.id() + "}";
    }
}
