package dev.animalstore.pet;

import dev.animalstore.database.Database;
import dev.animalstore.database.DatabaseException;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Remembers for a day which pet was made for which {@link IdempotencyKey}, so that a client that lost an answer may send its request
 * again. The memory is written in the pet's own transaction: there are both, or neither.
 *
 * <p>Requests with the same key are kept apart, on all replicas, by a lock that PostgreSQL holds until the transaction ends, whatever ends
 * it. It is tried and not waited for: who comes second is told so, and no connection is spent on waiting.
 */
@Singleton
class SafeRetries {
    private static final Logger LOG = Logger.getLogger(SafeRetries.class);
    private static final Duration MEMORY = Duration.ofHours(24);

    /** Small enough for a removal not to be noticed by anybody else. */
    private static final int BATCH = 1000;

    private static final String RESERVE = "select pg_try_advisory_xact_lock(hashtextextended(? || ' ' || ?, 0))";

    private static final String FIND =
            "select pet_id from idempotency_key where caller = ? and key = ? and created_at > ?";

    /**
     * Adds the pet and remembers it. What the key stood for a day ago is replaced. It is one statement, and the last before the commit, since a
     * walk through the list may miss a pet whose identifier is drawn but not committed.
     */
    private static final String ADD = "with added as (" + Catalogue.INSERT + """
            ), remembered as (
                insert into idempotency_key (caller, key, pet_id, created_at) select ?, ?, id, ? from added
                on conflict (caller, key) do update set pet_id = excluded.pet_id, created_at = excluded.created_at)
            select * from added""";

    private static final String FORGET = """
            delete from idempotency_key where (caller, key) in (
                select caller, key from idempotency_key where created_at <= ?
                order by created_at limit ? for update skip locked)""";

    private final Database database;
    private final Catalogue catalogue;
    private final Clock clock;

    SafeRetries(Database database, Catalogue catalogue, Clock clock) {
        this.database = database;
        this.catalogue = catalogue;
        this.clock = clock;
    }

    /**
     * Adds a pet, unless that was done for the same key before.
     *
     * @throws ApiException {@code conflict} where another request with the key is under way, {@code idempotency_mismatch} where the key
     *     was used for another pet
     */
    Outcome add(NewPet pet, IdempotencyKey key) {
        return QuarkusTransaction.requiringNew().call(() -> {
            reserve(key);
            Optional<Long> earlier = database.find(row -> row.getLong(1), FIND, key.caller(), key.text(), oldest());
            if (earlier.isPresent()) {
                return new Outcome(pet.requireSame(catalogue.find(earlier.get()).orElseThrow()), true);
            }
            return new Outcome(addAndRemember(pet, key), false);
        });
    }

    /** Removes what is older than a day, in batches. Replicas that do so at the same time step round each other's rows. */
    @Scheduled(every = "1h", delayed = "1h")
    void forgetOld() {
        try {
            while (database.update(FORGET, oldest(), BATCH) == BATCH) {
                // Each batch is committed by itself.
            }
        } catch (DatabaseException e) {
            LOG.warnf("Old idempotency keys could not be removed, and are the next time: %s", e.getMessage());
        }
    }

    private void reserve(IdempotencyKey key) {
        if (!database.query(row -> row.getBoolean(1), RESERVE, key.caller(), key.text())
                .get(0)) {
            throw new ApiException(
                    ErrorCode.CONFLICT, "A request with this Idempotency-Key is still under way. Try again later.");
        }
    }

    private Pet addAndRemember(NewPet pet, IdempotencyKey key) {
        return database.query(
                        Catalogue::pet,
                        ADD,
                        pet.name(),
                        pet.categoryId(),
                        pet.status().value(),
                        key.caller(),
                        key.text(),
                        clock.instant())
                .get(0);
    }

    private Instant oldest() {
        return clock.instant().minus(MEMORY);
    }

    /**
     * What came of a request.
     *
     * @param pet the pet that was made for its key
     * @param replayed whether that was done before
     */
    record Outcome(Pet pet, boolean replayed) {}
}
