package dev.animalstore.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A command that is run again an interval after its outcome, since it shows whether Redis does the work that it stands for. A slow event loop
 * runs it later, but never twice within an interval.
 */
public final class Probe {
    private static final long RETRY_MILLIS = 20;

    private final Vertx vertx;
    private final RedisConfig config;
    private final Supplier<? extends Future<?>> command;
    private final Consumer<Throwable> listener;
    private volatile boolean stopped;

    /** Since when it fails; {@code null} while it succeeds. */
    private volatile Long failingNanos;

    /** @param listener gets each outcome: {@code null}, or the failure */
    Probe(Vertx vertx, RedisConfig config, Supplier<? extends Future<?>> command, Consumer<Throwable> listener) {
        this.vertx = vertx;
        this.config = config;
        this.command = command;
        this.listener = listener;
        repeat();
    }

    private void repeat() {
        if (!stopped) {
            run().onComplete(ended -> vertx.setTimer(config.probeEvery().toMillis(), ignored -> repeat()));
        }
    }

    /** Runs it now, in addition. */
    Future<?> run() {
        return command.get().onComplete(ended -> {
            listener.accept(ended.cause());
            failingNanos = ended.succeeded() ? null : Objects.requireNonNullElseGet(failingNanos, System::nanoTime);
        });
    }

    void stop() {
        stopped = true;
    }

    /**
     * Runs commands, and again while they fail, until the probes of all replicas have noticed the failure, or only once if this one has
     * failed for that long already.
     *
     * @return failed if they failed to the end
     */
    public <T> Future<T> retry(Supplier<Future<T>> commands) {
        long begin = Objects.requireNonNullElseGet(failingNanos, System::nanoTime);
        return retry(commands, begin + retryTime().plus(config.timeout()).toNanos());
    }

    private <T> Future<T> retry(Supplier<Future<T>> commands, long end) {
        return commands.get()
                .recover(failure -> System.nanoTime() - end > 0
                        ? Future.failedFuture(failure)
                        : vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS).compose(ignored -> retry(commands, end)));
    }

    /** How long {@link #retry} repeats commands at most. It waits for a response for longer, by the timeout of a command. */
    public Duration retryTime() {
        return config.probeEvery().multipliedBy(2);
    }
}
