package dev.animalstore.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Independent;
import dev.animalstore.fixture.MovedTicker;
import io.agroal.api.AgroalDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@Independent
class BulkheadTest {
    private final MovedTicker time = new MovedTicker();

    @AutoClose("shutdownNow")
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    private final DatabaseBreaker database =
            new DatabaseBreaker(DatabaseBreakerTest.fake(AgroalDataSource.class, () -> null), executor);
    private final Bulkhead bulkhead = new Bulkhead("tests", 2, database, time);

    @Test
    void work_beyondTheBound_beginsInItsOrderWhenOtherWorkEnds() {
        List<CompletableFuture<Void>> turns = enter(4);
        assertEquals(List.of(true, true, false, false), done(turns));
        bulkhead.leave();
        assertEquals(List.of(true, true, true, false), done(turns));
        bulkhead.leave();
        bulkhead.leave();
        bulkhead.leave();
        assertEquals(List.of(true, true, true, true), done(turns));
        assertEquals(List.of(true, true, false), done(enter(3)));
    }

    @Test
    void work_beyondTheQueue_isRejectedAtOnce() {
        enter(2);
        assertFalse(enter(1000).get(999).isDone());
        assertRejected(enter(1).get(0));
    }

    @Test
    void work_whileOtherWorkHasWaitedForASecond_isRejectedAtOnceAndSoIsThatInItsTurn() {
        enter(2);
        CompletableFuture<Void> waiting = enter(1).get(0);
        time.move(Duration.ofMillis(1001));
        assertRejected(enter(1).get(0));
        assertFalse(waiting.isDone());
        bulkhead.leave();
        assertRejected(waiting);
        assertTrue(enter(1).get(0).isDone());
    }

    /** It would only wait for a connection. */
    @Test
    void work_whileTheDatabaseIsKnownToFail_isRejectedAtOnceAndSoIsThatWhichWaits() {
        enter(2);
        CompletableFuture<Void> waiting = enter(1).get(0);
        for (int i = 0; i < 5; i++) {
            database.record(new SQLException("away", "08001"));
        }
        assertRejected(enter(1).get(0));
        bulkhead.leave();
        assertRejected(waiting);
    }

    /** The client of a request may disconnect meanwhile. */
    @Test
    void work_thatIsCancelledWhileItWaits_leavesItsPlace() {
        enter(2);
        bulkhead.run(() -> "done").cancel(false);
        bulkhead.leave();
        assertEquals("done", bulkhead.run(() -> "done").join());
    }

    @Test
    void work_thatFails_leavesItsPlace() {
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Object> failing = bulkhead.run(() -> {
                throw new IllegalStateException("on purpose");
            });
            assertInstanceOf(
                    IllegalStateException.class,
                    assertThrows(CompletionException.class, failing::join).getCause());
        }
        assertEquals("done", bulkhead.run(() -> "done").join());
    }

    private List<CompletableFuture<Void>> enter(int count) {
        return Stream.generate(() -> bulkhead.enter().toCompletableFuture())
                .limit(count)
                .toList();
    }

    private static List<Boolean> done(List<CompletableFuture<Void>> turns) {
        return turns.stream().map(CompletableFuture::isDone).toList();
    }

    private static void assertRejected(CompletableFuture<Void> turn) {
        assertInstanceOf(
                RejectedExecutionException.class,
                assertThrows(CompletionException.class, turn::join).getCause());
    }
}
