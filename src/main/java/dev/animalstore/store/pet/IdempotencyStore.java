package dev.animalstore.store.pet;

import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.regex.Pattern;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.query.QueryProducer;

/**
 * Stores for a day which pet was created for which {@code Idempotency-Key}, so that a client that lost a response may repeat its request.
 * The record is written with the pet: both exist, or neither.
 *
 * <p>Requests with the same key are serialised, on all replicas, by a PostgreSQL advisory lock that lasts until the transaction ends in any
 * way. A request that does not get the lock fails at once, so no connection is used for waiting. A key that is new, as most are, takes one
 * statement.
 */
@ApplicationScoped
class IdempotencyStore {
    static final String HEADER = "Idempotency-Key";

    private static final Pattern PRINTABLE = Pattern.compile("[ -~]{1,255}");

    private static final String LOCK = "pg_try_advisory_xact_lock(hashtextextended(?4 || ' ' || ?5, 0))";

    private static final String RESERVE = "select pg_try_advisory_xact_lock(hashtextextended(?1 || ' ' || ?2, 0))";

    /** Names its columns, as every prepared statement must: PostgreSQL refuses one whose result has changed. */
    private static final String FIND = """
            select pet.id, pet.name, pet.category_id, pet.status from idempotency_key known join pet on pet.id = known.pet_id
            where known.caller = ?1 and known.key = ?2 and known.created_at > now() - interval '24 hours'""";

    /**
     * Adds the pet and its record, and removes two records older than a day, so that there are never many more than those of a day. It is one
     * statement, and the last before the commit, since a walk through the list may miss a pet whose identifier is drawn but not committed.
     */
    private static final String ADD = """
            with added as (insert into pet (name, category_id, status) select ?1, ?2, ?3%s returning id),
            remembered as (
                insert into idempotency_key (caller, key, pet_id, created_at) select ?4, ?5, id, now() from added%s),
            forgotten as (
                delete from idempotency_key
                where ctid = any (array(
                    select ctid from idempotency_key where created_at <= now() - interval '24 hours' and (caller, key) <> (?4, ?5)
                    order by created_at limit 2 for update skip locked)))
            select id from added""";

    /**
     * Adds nothing, and draws no identifier, if there is a record of the key, whatever its age, or while a request with it is in flight. Fails if
     * that request has just ended: its record is later than what the statement sees.
     */
    private static final String ADD_NEW = ADD.formatted(
            " where not exists (select from idempotency_key where caller = ?4 and key = ?5) and " + LOCK, "");

    /** Replaces a record older than a day. */
    private static final String ADD_AGAIN = ADD.formatted(
            "", " on conflict (caller, key) do update set pet_id = excluded.pet_id, created_at = excluded.created_at");

    private final SessionFactory sessions;
    private final Session database;

    IdempotencyStore(SessionFactory sessions, Session database) {
        this.sessions = sessions;
        this.database = database;
    }

    /**
     * Adds a pet, unless one was added for the same key before.
     *
     * @param apiKey the number of the API key, to which the header is scoped
     * @param keys the headers (draft-ietf-httpapi-idempotency-key-header), of which one identifies a request and its retries
     * @throws ApiException {@code bad_request} if there are several or one is not 1 to 255 printable ASCII characters, {@code conflict}
     *     if another request with the key is in flight, {@code idempotency_mismatch} if it was used for another pet
     */
    Addition add(NewPet pet, long apiKey, List<String> keys) {
        String caller = Long.toString(apiKey);
        String key = keys.get(0);
        if (keys.size() > 1 || !PRINTABLE.matcher(key).matches()) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST, HEADER + " must be given once, as 1 to 255 printable ASCII characters.");
        }
        try (StatelessSession session = sessions.openStatelessSession()) {
            Pet added = add(session, ADD_NEW, pet, caller, key);
            if (added != null) {
                return new Addition(added, false);
            }
        } catch (ConstraintViolationException known) {
            // Nothing was added, and the transaction below sees the record.
        }
        return QuarkusTransaction.requiringNew().call(() -> findOrAdd(pet, caller, key));
    }

    private Addition findOrAdd(NewPet pet, String caller, String key) {
        boolean reserved = database.createNativeQuery(RESERVE, Boolean.class)
                .setParameter(1, caller)
                .setParameter(2, key)
                .getSingleResult();
        if (!reserved) {
            throw new ApiException(
                    ErrorCode.CONFLICT, "A request with this Idempotency-Key is still in progress. Retry later.");
        }
        Pet created = database.createNativeQuery(FIND, Pet.class)
                .setParameter(1, caller)
                .setParameter(2, key)
                .getSingleResultOrNull();
        if (created == null) {
            return new Addition(add(database, ADD_AGAIN, pet, caller, key), false);
        }
        if (!pet.equals(new NewPet(created.name, created.categoryId, created.status))) {
            throw new ApiException(
                    PetError.IDEMPOTENCY_MISMATCH, "This Idempotency-Key was used with another body; use a new one.");
        }
        return new Addition(created, true);
    }

    private static Pet add(QueryProducer session, String sql, NewPet pet, String caller, String key) {
        // Without the type, the driver would query it once on each connection.
        Long id = session.createNativeQuery(sql, Long.class)
                .addScalar("id", Long.class)
                .setParameter(1, pet.name())
                .setParameter(2, pet.categoryId())
                .setParameter(3, pet.status().value)
                .setParameter(4, caller)
                .setParameter(5, key)
                .getSingleResultOrNull();
        return id == null ? null : Pet.of(id, pet);
    }

    /** The pet that was created for a key, and whether an earlier request created it. */
    record Addition(Pet pet, boolean replayed) {}
}
