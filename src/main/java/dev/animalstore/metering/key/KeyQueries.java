package dev.animalstore.metering.key;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.animalstore.metering.key.BearerKey.KeyHash;
import dev.animalstore.metering.key.KeyCache.Copy;
import dev.animalstore.metering.quota.Quota;
import dev.animalstore.metering.quota.Subject;
import dev.animalstore.metering.quota.SubjectId;
import dev.animalstore.outage.Bulkhead;
import dev.animalstore.outage.DatabaseBreaker;
import dev.animalstore.web.error.ApiException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.agroal.DataSource;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Queries the keys of secrets on worker threads. Secrets that are asked for at about the same time share one query: at most 100 queries per
 * second begin, of at most {@value #MAXIMUM_SECRETS} secrets each, and at most {@value #MAXIMUM_RUNNING} run. So neither a rollout, after
 * which every key is new, nor a flood of guesses loads the database.
 */
@Singleton
class KeyQueries {
    private static final int MAXIMUM_SECRETS = 500;

    /** Of the worker threads (docs/scale.md). */
    private static final int MAXIMUM_RUNNING = 3;

    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final DatabaseBreaker database;
    private final Bulkhead lookUps;
    private final Ticker ticker;
    private final Counter queries;
    private final Map<KeyHash, CompletableFuture<Copy>> waiting = new LinkedHashMap<>();
    private int running;
    private boolean scheduled;
    private long latestNanos;

    KeyQueries(@DataSource("metering") DatabaseBreaker database, MeterRegistry metrics, Ticker ticker) {
        this.database = database;
        this.ticker = ticker;
        lookUps = new Bulkhead("look-ups of keys", MAXIMUM_RUNNING, database, ticker);
        latestNanos = ticker.read() - INTERVAL_NANOS;
        queries = Counter.builder("animalstore.keys.queries")
                .description("Queries for keys, each of one or more secrets that were not cached")
                .register(metrics);
    }

    /** The first query, of no key: a database that refuses it prevents the start. It has a transaction, since the first one takes longest. */
    void verify(@Observes StartupEvent started) throws SQLException {
        database.open();
        QuarkusTransaction.requiringNew().run(() -> query(List.of(new KeyHash(0, 0, 0, 0))));
    }

    /** The key of a secret, by a query that begins after this call. Never blocks. Fails if the database does. */
    synchronized CompletableFuture<Copy> find(KeyHash hash) {
        CompletableFuture<Copy> found = waiting.computeIfAbsent(hash, ignored -> new CompletableFuture<>());
        schedule();
        return found;
    }

    private void schedule() {
        if (scheduled || running == MAXIMUM_RUNNING || waiting.isEmpty()) {
            return;
        }
        scheduled = true;
        long delay = latestNanos + INTERVAL_NANOS - ticker.read();
        if (delay <= 0) {
            begin();
        } else {
            CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(this::begin);
        }
    }

    private synchronized void begin() {
        scheduled = false;
        latestNanos = ticker.read();
        List<KeyHash> oldest = waiting.keySet().stream().limit(MAXIMUM_SECRETS).toList();
        Batch batch = new Batch(latestNanos, oldest.stream().collect(Collectors.toMap(hash -> hash, waiting::remove)));
        running++;
        var unused = lookUps.run(() -> rows(batch.secrets().keySet()))
                .whenComplete((rows, failure) -> end(batch, rows, failure));
        schedule();
    }

    private Map<KeyHash, Row> rows(Collection<KeyHash> hashes) {
        queries.increment();
        Map<KeyHash, Row> rows = new HashMap<>();
        query(hashes).forEach(row -> rows.put(KeyHash.of(row.hash()), row));
        return rows;
    }

    private void end(Batch batch, Map<KeyHash, Row> rows, Throwable failure) {
        synchronized (this) {
            running--;
            schedule();
        }
        if (failure == null) {
            // A row that cannot be read fails alone.
            batch.secrets()
                    .forEach((hash, found) -> found.completeAsync(() -> copy(rows.get(hash), batch), Runnable::run));
            return;
        }
        Throwable shared = ApiException.ofShared(failure, database);
        batch.secrets().values().forEach(found -> found.completeExceptionally(shared));
    }

    /** One query, without a transaction, from any thread. */
    @ActivateRequestContext
    List<Row> query(Collection<KeyHash> hashes) {
        return ApiKey.Secret.find("""
                        select s.hash, k.id, p.name, coalesce(p.limits.perMinute, k.ownLimits.perMinute),
                               coalesce(p.limits.perDay, k.ownLimits.perDay), k.version, k.createdAt, k.expiresAt, k.suspendedAt, k.revokedAt, s.rotatedAt, s.expiresAt, s.ended
                        from ApiKeySecret s join s.key k join k.plan p where s.hash in ?1""", hashes.stream().map(KeyHash::bytes).toList())
                .project(Row.class)
                .list();
    }

    private static Copy copy(Row row, Batch batch) {
        return new Copy(row == null ? null : row.key(), batch.begunNanos());
    }

    /** Secrets of one query, and when it began, by {@link Ticker#read}. */
    private record Batch(long begunNanos, Map<KeyHash, CompletableFuture<Copy>> secrets) {}

    @RegisterForReflection
    @SuppressWarnings("ArrayRecordComponent") // Rows are not compared.
    record Row(
            byte[] hash,
            long id,
            String plan,
            Integer perMinute,
            Integer perDay,
            long version,
            Instant createdAt,
            Instant expiresAt,
            Instant suspendedAt,
            Instant revokedAt,
            Instant secretRotatedAt,
            Instant secretExpiresAt,
            boolean secretEnded) {

        /** There are few plans, so their names are shared. */
        CachedKey key() {
            SubjectId subject = new SubjectId(id, CachedKey.micros(createdAt));
            return new CachedKey(
                    new Subject(subject, version, new Quota(perMinute, perDay), endsMillis()),
                    plan.intern(),
                    ending(),
                    CachedKey.micros(expiresAt),
                    CachedKey.micros(secretRotatedAt),
                    CachedKey.micros(secretExpiresAt));
        }

        private String ending() {
            if (revokedAt != null || suspendedAt != null) {
                return revokedAt == null ? "suspended" : "revoked";
            }
            boolean ofSecret = secretEnded || CachedKey.micros(secretExpiresAt) < CachedKey.micros(expiresAt);
            return ofSecret ? "rotated" : "expired";
        }

        private long endsMillis() {
            if (revokedAt != null || suspendedAt != null || secretEnded) {
                return 0;
            }
            long ends = Math.min(CachedKey.micros(expiresAt), CachedKey.micros(secretExpiresAt));
            return ends == CachedKey.NEVER ? ends : Math.max(0, TimeUnit.MICROSECONDS.toMillis(ends));
        }
    }
}
