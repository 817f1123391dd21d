package dev.animalstore.outage;

import io.quarkus.logging.Log;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Remembers whether a server responds. It opens after some failures in a row. While it is open only a probe waits for the server, and the
 * probe's success closes it. Only the changes are logged, since an outage under load causes thousands of failures.
 */
public final class CircuitBreaker {

    private final String server;
    private final String consequence;
    private final int maximumFailures;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean open;

    /** It opens after so many failures in a row, and logs the name of the server and the consequence. */
    public CircuitBreaker(String server, String consequence, int maximumFailures) {
        this.server = server;
        this.consequence = consequence;
        this.maximumFailures = maximumFailures;
    }

    /** Whether the server is known to fail, so that no request should wait for it. */
    public boolean isOpen() {
        return open;
    }

    /** The server responded. While the breaker is open this changes nothing, since the response may be a late one. */
    public void succeed() {
        if (failures.get() != 0 && !open) {
            failures.set(0);
        }
    }

    /** The server did not respond, or its response says that it is unavailable. */
    public synchronized void fail(Throwable cause) {
        if (failures.incrementAndGet() >= maximumFailures && !open) {
            open = true;
            Log.warnf("%s is unavailable (%s); %s", server, cause.getMessage(), consequence);
        }
    }

    /** The probe succeeded in time. */
    public synchronized void close() {
        failures.set(0);
        if (open) {
            open = false;
            Log.infof("%s is available again", server);
        }
    }
}
