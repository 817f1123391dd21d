package dev.animalstore.request;

import io.quarkus.logging.LoggingFilter;
import java.io.IOException;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/** Drops the log entry that Vert.x writes as an error when a client resets its connection during a response. */
@LoggingFilter(name = "broken-connections")
public final class BrokenConnectionFilter implements Filter {
    private static final String LOGGER = "io.vertx.core.net.impl.ConnectionBase";

    @Override
    public boolean isLoggable(LogRecord event) {
        return !(event.getThrown() instanceof IOException) || !LOGGER.equals(event.getLoggerName());
    }
}
