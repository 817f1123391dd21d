package dev.animalstore.pet;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.hibernate.Session;

/**
 * Remembers for a day which pet was made for which {@link IdempotencyKey}, so that a client that lost an answer may send its request
 * again. The memory is written in the pet's own transaction: there are both, or neither.
 *
 * <p>Requests with the same key are kept apart, on all replicas, by a lock that PostgreSQL holds until the transaction ends, whatever ends
 * it. It is tried and not waited for: who comes second is told so, and no connection is spent on waiting.
 */
@ApplicationScoped
class SafeRetries {
    static final Duration MEMORY = Duration.ofHours(24);

    /** Small enough for a removal not to be noticed by anybody else. */
    private static final int BATCH = 1000;

    private final Session database;
    private final Clock clock;

    SafeRetries(Session database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Reserves a key until the present transaction ends.
     *
     * @return the pet that was made for it before
     * @throws ApiException {@code conflict} where another request holds it
     */
    Optional<Pet> reserve(IdempotencyKey key) {
        boolean reserved = database.createNativeQuery(
                        "select pg_try_advisory_xact_lock(hashtextextended(:caller || ' ' || :key, 0))", Boolean.class)
                .setParameter("caller", key.caller())
                .setParameter("key", key.text())
                .getSingleResult();
        if (!reserved) {
            throw new ApiException(
                    ErrorCode.CONFLICT, "A request with this Idempotency-Key is still under way. Try again later.");
        }
        return find(key);
    }

    /** Remembers the pet that was made for a key. What the key stood for a day ago is replaced. */
    void remember(IdempotencyKey key, Pet pet) {
        database.createNativeMutationQuery("""
                        insert into idempotency_key (caller, key, pet_id, created_at) values (:caller, :key, :pet, :now)
                        on conflict (caller, key) do update set pet_id = excluded.pet_id, created_at = excluded.created_at""")
                .setParameter("caller", key.caller())
                .setParameter("key", key.text())
                .setParameter("pet", pet.id)
                .setParameter("now", clock.instant())
                .executeUpdate();
    }

    /** Removes what is older than a day, in batches. Replicas that do so at the same time step round each other's rows. */
    @Scheduled(every = "1h", delayed = "1h")
    void forgetOld() {
        while (QuarkusTransaction.requiringNew().call(this::forgetBatch) == BATCH) {
            // The next batch has a transaction of its own.
        }
    }

    private int forgetBatch() {
        return database.createNativeMutationQuery("""
                        delete from idempotency_key where (caller, key) in (
                            select caller, key from idempotency_key where created_at <= :end
                            order by created_at limit :batch for update skip locked)""")
                .setParameter("end", oldest())
                .setParameter("batch", BATCH)
                .executeUpdate();
    }

    private Optional<Pet> find(IdempotencyKey key) {
        return database.createNativeQuery("""
                        select pet.* from idempotency_key k join pet on pet.id = k.pet_id
                        where k.caller = :caller and k.key = :key and k.created_at > :oldest""", Pet.class)
                .setParameter("caller", key.caller())
                .setParameter("key", key.text())
                .setParameter("oldest", oldest())
                .uniqueResultOptional();
    }

    private Instant oldest() {
        return clock.instant().minus(MEMORY);
    }
}
