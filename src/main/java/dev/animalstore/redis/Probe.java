package dev.animalstore.redis;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A command that is run again and again, since it shows whether Redis does the work that it stands for: an interval after it has succeeded, and
 * half of one after it has failed. So a failure that this replica has seen for a time has lasted for that time: Redis cannot have worked in
 * between for longer than an interval. A slow event loop runs it later.
 */
public final class Probe {
    private static final long RETRY_MILLIS = 20;

    private final Vertx vertx;
    private final Ticker ticker;
    private final RedisConfig config;
    private final Supplier<? extends Future<?>> command;
    private final Listener listener;
    private volatile boolean stopped;

    /** When the last outcome came. */
    private volatile long endedNanos;

    /** Since when all outcomes are failures; {@code null} if the last one is none. */
    private volatile Long failingNanos;

    Probe(Vertx vertx, Ticker ticker, RedisConfig config, Supplier<? extends Future<?>> command, Listener listener) {
        this.vertx = vertx;
        this.ticker = ticker;
        this.config = config;
        this.command = command;
        this.listener = listener;
        repeat();
    }

    private void repeat() {
        if (!stopped) {
            long millis = config.probeEvery().toMillis();
            run().onComplete(ended ->
                    vertx.setTimer(ended.succeeded() ? millis : Math.max(1, millis / 2), ignored -> repeat()));
        }
    }

    /** Runs it now, in addition. */
    Future<?> run() {
        long sent = ticker.read();
        if (sent - endedNanos > config.probeEvery().toNanos()) {
            // This replica has paused, and Redis may have worked meanwhile.
            failingNanos = null;
        }
        return command.get().onComplete(ended -> {
            endedNanos = ticker.read();
            failingNanos = ended.succeeded() ? null : Objects.requireNonNullElse(failingNanos, endedNanos);
            listener.probed(ended.cause(), sent);
        });
    }

    void stop() {
        stopped = true;
    }

    /**
     * Runs commands, and again while they fail, until they, or all probes before the last one, have failed for
     * {@link RedisClient#outageTime}: by then the other replicas know of the failure.
     *
     * @return failed if they failed to the end
     */
    public <T> Future<T> retry(Supplier<Future<T>> commands) {
        return retry(commands, null);
    }

    /** @param failed when they failed first; {@code null} if they have not */
    private <T> Future<T> retry(Supplier<Future<T>> commands, Long failed) {
        long sent = ticker.read();
        return commands.get().recover(failure -> {
            long first = Objects.requireNonNullElseGet(failed, ticker::read);
            Long probed = failingNanos;
            long longest = Math.max(sent - first, probed == null ? 0 : sent - probed);
            return longest >= RedisClient.outageTime(config).toNanos()
                    ? Future.failedFuture(failure)
                    : vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS).compose(ignored -> retry(commands, first));
        });
    }

    /** Learns of each outcome. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called on the event loop of Redis.
         *
         * @param failure {@code null} if the probe has succeeded
         * @param sentNanos when it was sent, by {@link Ticker#read}
         */
        void probed(Throwable failure, long sentNanos);
    }
}
