package dev.animalstore.quota;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.FigureTable;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory per subject in Redis, with 25,000 subjects, which fill Redis's hash tables as 100,000 do. */
class MemoryTest {
    private static final FigureTable TABLE =
            new FigureTable("memory.md", "subject that | bytes with its share of Redis's tables | bytes by itself");

    /** Identifiers of seven digits, as in a large installation; no other test uses these. */
    private static final long FIRST = 5_000_000;

    private static final long COUNT = 25_000;
    private static final int BATCH = 1000;
    private static final Instant NOON = Instant.parse("2126-03-01T12:00:00Z");

    /** The first request is admitted, the second refused, and the third causes a ban. */
    private static final Limits LIMITS = new Limits(1, 1000);

    private final ScriptRunner redis = new ScriptRunner();

    @AfterEach
    void close() {
        inBatches(subject -> redis.start(Command.UNLINK, ScriptRunner.name(subject)));
        redis.close();
    }

    @Test
    void hash_of25000Subjects_isSmallEvenWithABan() {
        long before = usedMemory();
        spend();
        assertSmall("spends", before, 250);
        spend();
        spend();
        assertSmall("is banned", before, 300);
    }

    private void spend() {
        inBatches(subject -> redis.start(BanRules.STRICT, subject, 1, LIMITS, 1, NOON));
    }

    private void assertSmall(String kind, long before, long most) {
        long each = (usedMemory() - before) / COUNT;
        String hash = ScriptRunner.name(FIRST);
        TABLE.add(kind, each, redis.send(Command.MEMORY, "USAGE", hash));
        String encoding = redis.send(Command.OBJECT, "ENCODING", hash).toString();
        assertTrue(encoding.equals("listpack") || encoding.equals("ziplist"), encoding); // Before Redis 7.
        assertTrue(each < most, each + " bytes each");
    }

    private static void inBatches(LongFunction<Future<?>> command) {
        for (long batch = FIRST; batch < FIRST + COUNT; batch += BATCH) {
            List<Future<?>> sent = LongStream.range(batch, batch + BATCH)
                    .<Future<?>>mapToObj(command)
                    .toList();
            sent.forEach(ScriptRunner::await);
        }
    }

    private long usedMemory() {
        String memory = redis.send(Command.INFO, "memory").toString();
        return Long.parseLong(memory.replaceFirst("(?s).*\\bused_memory:([0-9]+).*", "$1"));
    }
}
