package dev.animalstore.web.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes lines to standard output, every {@value #DELAY_MILLIS} ms by a thread of its own, so that no request waits for the output to be read.
 * Beyond {@value #MAXIMUM_BYTES} waiting bytes, lines are dropped and counted.
 */
@Singleton
class AccessLogWriter {
    private static final int MAXIMUM_BYTES = 1024 * 1024;
    private static final int DELAY_MILLIS = 100;

    private final ScheduledExecutorService writer =
            Executors.newSingleThreadScheduledExecutor(run -> new Thread(run, "access-log"));
    private final Counter dropped;
    private ByteBuf waiting = Unpooled.buffer();

    /** The lines that are being written. For use by the thread that writes. */
    private ByteBuf complete = Unpooled.buffer();

    AccessLogWriter(MeterRegistry metrics) {
        dropped = Counter.builder("animalstore.access.log.dropped")
                .description("Lines of the access log that were dropped because standard output was not read")
                .register(metrics);
        var unused = writer.scheduleWithFixedDelay(this::flush, DELAY_MILLIS, DELAY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Writes a line, which {@code append} makes without its end; none of it if that fails. */
    synchronized void write(Consumer<ByteBuf> append) {
        if (waiting.readableBytes() > MAXIMUM_BYTES) {
            dropped.increment();
        } else {
            int begin = waiting.writerIndex();
            try {
                append.accept(waiting);
                waiting.writeByte('\n');
            } catch (RuntimeException defect) {
                waiting.writerIndex(begin);
                throw defect;
            }
        }
    }

    /** Writes the waiting lines at once, so that other log output cannot split one. */
    private void flush() {
        synchronized (this) {
            ByteBuf written = complete;
            complete = waiting;
            waiting = written;
        }
        System.out.write(complete.array(), 0, complete.readableBytes());
        System.out.flush();
        complete.clear();
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
