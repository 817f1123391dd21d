package dev.animalstore.outage;

import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Remembers whether a server answers. It opens after some failures in a row; from then on nobody waits for the server any more but a probe,
 * whose success closes it. Only the changes are logged, since an outage under load is thousands of failures.
 */
public final class CircuitBreaker {
    private static final Logger LOG = Logger.getLogger(CircuitBreaker.class);

    private final String server;
    private final String consequence;
    private final int maximumFailures;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean open;

    /**
     * @param server its name in the log
     * @param consequence what happens while the breaker is open, for the log
     * @param maximumFailures how many in a row open it
     */
    public CircuitBreaker(String server, String consequence, int maximumFailures) {
        this.server = server;
        this.consequence = consequence;
        this.maximumFailures = maximumFailures;
    }

    /** Whether the server is known to fail, so that nobody should wait for it. */
    public boolean isOpen() {
        return open;
    }

    /** An answer came. While the breaker is open this may be a straggler, which proves nothing. */
    public void succeed() {
        if (failures.get() != 0 && !open) {
            failures.set(0);
        }
    }

    /** No answer came, or one that says that the server cannot serve. */
    public synchronized void fail(Throwable cause) {
        if (failures.incrementAndGet() >= maximumFailures && !open) {
            open = true;
            LOG.warnf("%s fails (%s); %s", server, cause.getMessage(), consequence);
        }
    }

    /** The probe was answered in time. */
    public synchronized void close() {
        failures.set(0);
        if (open) {
            open = false;
            LOG.infof("%s answers again", server);
        }
    }
}
