package dev.animalstore.metering.gate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes lines to standard output, every {@value #DELAY_MILLIS} ms by a thread of its own, so that no request waits for the output to be read.
 * Beyond {@value #MAXIMUM_CHARACTERS} waiting characters, lines are dropped and counted.
 */
@Singleton
class AccessLogWriter {
    private static final int MAXIMUM_CHARACTERS = 1024 * 1024;
    private static final int DELAY_MILLIS = 100;

    private final ScheduledExecutorService writer =
            Executors.newSingleThreadScheduledExecutor(run -> new Thread(run, "access-log"));
    private final Counter dropped;
    private StringBuilder waiting = new StringBuilder();

    AccessLogWriter(MeterRegistry metrics) {
        dropped = Counter.builder("animalstore.access.log.dropped")
                .description("Lines of the access log that were dropped because standard output was not read")
                .register(metrics);
        var unused = writer.scheduleWithFixedDelay(this::flush, DELAY_MILLIS, DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }

    synchronized void write(Consumer<StringBuilder> line) {
        if (waiting.length() > MAXIMUM_CHARACTERS) {
            dropped.increment();
        } else {
            line.accept(waiting);
            waiting.append('\n');
        }
    }

    private void flush() {
        StringBuilder lines;
        synchronized (this) {
            lines = waiting;
            waiting = new StringBuilder(lines.length());
        }
        // At once, so that other log output cannot split a line.
        System.out.print(lines);
        System.out.flush();
    }

    /** Writes the last lines, unless standard output is blocked. */
    @PreDestroy
    void stop() throws InterruptedException {
        writer.shutdown();
        if (writer.awaitTermination(1, TimeUnit.SECONDS)) {
            flush();
        }
    }
}
