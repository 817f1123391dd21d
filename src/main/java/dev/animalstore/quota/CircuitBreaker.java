package dev.animalstore.quota;

import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Remembers whether Redis answers. It opens after some failures in a row; from then on nobody waits for Redis any more but a probe, whose
 * success closes it. Only the changes are logged, since an outage under load is thousands of failures.
 */
final class CircuitBreaker {
    private static final Logger LOG = Logger.getLogger(CircuitBreaker.class);

    private final int maximumFailures;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean open;

    CircuitBreaker(int maximumFailures) {
        this.maximumFailures = maximumFailures;
    }

    boolean isOpen() {
        return open;
    }

    /** An answer came. While the breaker is open this may be a straggler, which proves nothing. */
    void succeed() {
        if (failures.get() != 0 && !open) {
            failures.set(0);
        }
    }

    /** No answer came, or one that says that Redis cannot serve. */
    synchronized void fail(Throwable cause) {
        if (failures.incrementAndGet() >= maximumFailures && !open) {
            open = true;
            LOG.warnf("Redis fails (%s); this replica meters by itself", cause.getMessage());
        }
    }

    /** The probe was answered in time. */
    synchronized void close() {
        failures.set(0);
        if (open) {
            open = false;
            LOG.info("Redis answers again; quotas are shared again");
        }
    }
}
