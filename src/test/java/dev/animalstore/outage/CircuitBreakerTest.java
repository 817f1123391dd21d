package dev.animalstore.outage;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private static final int MAXIMUM_FAILURES = 3;

    private final CircuitBreaker breaker = new CircuitBreaker("A server", "a test continues", MAXIMUM_FAILURES);

    @Test
    void failures_inARow_openIt() {
        fail(MAXIMUM_FAILURES - 1);
        assertFalse(breaker.isOpen());

        fail(1);
        assertTrue(breaker.isOpen());
    }

    @Test
    void successOrSuccessfulProbe_amongFailures_restartsTheCount() {
        fail(MAXIMUM_FAILURES - 1);
        breaker.succeed();
        fail(MAXIMUM_FAILURES - 1);
        breaker.close();
        fail(MAXIMUM_FAILURES - 1);

        assertFalse(breaker.isOpen());
    }

    @Test
    void successfulProbe_whileItIsOpen_closesItButALateSuccessDoesNot() {
        fail(MAXIMUM_FAILURES);
        breaker.succeed();
        assertTrue(breaker.isOpen());

        breaker.close();
        fail(MAXIMUM_FAILURES - 1);
        assertFalse(breaker.isOpen());
    }

    private void fail(int times) {
        IntStream.range(0, times).forEach(i -> breaker.fail(new IllegalStateException("no response")));
    }
}
