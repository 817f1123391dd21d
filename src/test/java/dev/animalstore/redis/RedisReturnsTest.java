package dev.animalstore.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which connections count as a return of Redis. */
class RedisReturnsTest {
    private final Vertx vertx = Vertx.vertx();
    private final RedisReturns returns = new RedisReturns(vertx);

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void record_always_runsTheActionsBeforeItCounts() {
        List<Long> counts = new ArrayList<>();
        returns.add(() -> counts.add(returns.count()));
        returns.record();
        returns.record();
        assertEquals(List.of(0L, 1L), counts);
        assertEquals(2, returns.count());
    }

    @Test
    void connections_manyAtOnce_countAtOnceAndASecondLater() {
        for (int i = 0; i < 100; i++) {
            returns.recordConnection();
        }
        assertEquals(1, returns.count());
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> returns.count() > 1);
        Awaitility.await().during(Duration.ofMillis(1500)).until(() -> returns.count() == 2);
    }

    @Test
    void connection_aSecondAfterTheLast_countsAtOnce() {
        returns.recordConnection();
        Awaitility.await().pollDelay(Duration.ofMillis(1200)).until(() -> returns.count() == 1);
        returns.recordConnection();
        assertEquals(2, returns.count());
    }
}
