package dev.animalstore.metering.usage;

import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.metering.quota.DayCounters;
import dev.animalstore.metering.quota.DayCounters.DayCount;
import dev.animalstore.metering.quota.Decision;
import dev.animalstore.metering.quota.Decision.Outcome;
import dev.animalstore.metering.quota.Quota;
import dev.animalstore.metering.quota.ScriptRunner;
import dev.animalstore.metering.quota.SubjectId;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.redis.client.Command;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * The script's counts are in the rows after a replica has collected them, whatever happened in between, and so is the time of a key's last
 * use.
 */
@QuarkusTest
class UsageCollectionTest {
    /** Far ahead, since Redis deletes at once what expires in its own past. */
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");

    @AutoClose
    private static final ScriptRunner REDIS = new ScriptRunner();

    private final Map<LocalDate, Map<Outcome, Long>> model = new TreeMap<>();
    private final List<List<DayCount>> collected = new ArrayList<>();
    private TestKey key = TestKey.unlimited();
    private SubjectId subject = subject();
    private Instant now = NOON;

    @Inject
    UsageRepository usage;

    @Inject
    DayCounters counters;

    @Inject
    UsageCollector collector;

    @Inject
    MeterRegistry metrics;

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where day > '2100-01-01'");
    }

    /** While PostgreSQL is unavailable for longer than the days for which a hash had room. */
    @Test
    void counts_ofManyDaysThatEndedBeforeACollection_areNotLost() {
        for (int day = 0; day < 10; day++) {
            spend(new Quota(2, 10), NOON.plus(Duration.ofDays(day)));
        }
        collect();
        assertEquals(10, UsageRowsTest.rows(key).lines().count());
        assertFalse(REDIS.send(Command.HKEYS, hash()).toString().contains("u"));
    }

    /** The replica that decided on the requests was killed, and the master of another key's slot is down. */
    @Test
    void sweep_ofOneReplicaAtATime_collectsKeysThatNobodyCollectedAndCanBeRead() {
        String unreadable = hash();
        REDIS.send(Command.SET, unreadable, "no hash");
        key = TestKey.unlimited();
        subject = subject();
        spend(new Quota(2, 10), NOON);

        TestDatabase.during("select pg_advisory_xact_lock(4790271)", collector::sweep);
        assertEquals("", UsageRowsTest.rows(key));
        collector.sweep();

        assertEquals("2126-03-01 1 0 0\n", UsageRowsTest.rows(key));
        double age = age();
        collector.collect();
        assertTrue(age() > age, "is " + age());
        REDIS.send(Command.DEL, unreadable);
        collector.sweep();
        collector.collect();
        assertTrue(age() < age, "is " + age());
    }

    @Test
    void age_whileSweepsFail_growsUntilOneSucceeds() {
        TestDatabase.during("lock table api_key in access exclusive mode", collector::sweep);
        double age = age();
        collector.collect();
        assertTrue(age() > age, "is " + age());

        collector.sweep();
        Awaitility.await().until(() -> {
            collector.collect();
            return age() < age;
        });
    }

    private double age() {
        return metrics.get("animalstore.usage.collection.age").timeGauge().value(TimeUnit.NANOSECONDS);
    }

    /** The model counts by day. Seeds are fixed, so that a failure can be repeated. */
    @RepeatedTest(30)
    void counts_afterAnySequence_areThoseOfTheModel(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(10)) {
                case 0 -> now = now.plus(Duration.ofHours(random.nextInt(30)));
                case 1 -> now = now.plusSeconds(random.nextInt(120));
                case 2, 3 -> collected.add(collect());
                case 4 ->
                    collected.stream()
                            .skip(random.nextInt(collected.size() + 1))
                            .forEach(usage::merge);
                // The clock moves so far that it does not return to before the loss.
                case 5 -> {
                    collect();
                    REDIS.send(Command.DEL, hash());
                    now = now.plus(Duration.ofDays(400));
                }
                // The plan changes from request to request.
                default ->
                    count(spend(new Quota(1 + random.nextInt(4), 1 + random.nextInt(20)), now)
                            .outcome());
            }
        }
        collect();
        String expected = model.entrySet().stream()
                .map(day -> day.getKey()
                        + Stream.of(Outcome.ADMITTED, Outcome.REFUSED, Outcome.BANNED)
                                .map(outcome -> " " + day.getValue().getOrDefault(outcome, 0L))
                                .collect(Collectors.joining()))
                .collect(Collectors.joining("\n", "", "\n"));
        assertEquals(expected, UsageRowsTest.rows(key));
    }

    private void count(Outcome outcome) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        model.computeIfAbsent(today, day -> new EnumMap<>(Outcome.class)).merge(outcome, 1L, Long::sum);
    }

    @Test
    void lastUsedAt_isThatOfTheLastAdmittedRequestAccurateToAMinute() {
        TestKey revoked = TestKey.of("free").update("revoked_at = now()");
        revoked.list().statusCode(401);
        Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        key.list().statusCode(200);
        collector.collect();

        Operator.show(revoked).body("lastUsedAt", nullValue());
        Instant lastUse = Instant.parse(Operator.show(key).extract().path("lastUsedAt"));
        assertTrue(!lastUse.isBefore(start.minusSeconds(60)) && !lastUse.isAfter(Instant.now()), "used at " + lastUse);
    }

    /** Six replicas collect a busy key every ten seconds. */
    @Test
    void lastUsedAt_withinAMinute_isNotWrittenAgain() {
        long first = now.toEpochMilli();
        assertEquals(first, lastUseAfter(first));
        assertEquals(first, lastUseAfter(first + 60_000));
        assertEquals(first + 60_001, lastUseAfter(first + 60_001));
    }

    /** What is stored, in milliseconds since 1970, after a request at a time. */
    private long lastUseAfter(long millis) {
        usage.recordLastUse(List.of(subject), Map.of(subject, millis));
        return TestDatabase.number(
                "select cast(extract(epoch from last_used_at) * 1000 as bigint) from api_key where id = " + key.id());
    }

    private SubjectId subject() {
        return new SubjectId(key.id(), key.created());
    }

    private Decision spend(Quota limits, Instant time) {
        return REDIS.spend(subject, limits, time);
    }

    private List<DayCount> collect() {
        DayCounters.Reading reading =
                ScriptRunner.await(counters.read(List.of(subject))).get(0);
        usage.merge(reading.days());
        if (!reading.past().isEmpty()) {
            ScriptRunner.await(counters.forgetPast(reading));
        }
        return reading.days();
    }

    private String hash() {
        return RedisState.hash(key);
    }
}
