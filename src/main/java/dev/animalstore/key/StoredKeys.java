package dev.animalstore.key;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.Optional;
import org.jboss.logging.Logger;

/** The database access of {@link KeyCache}: the look-up of a secret, and the correction of a version that PostgreSQL has lost. */
@ApplicationScoped
class StoredKeys {
    private static final Logger LOG = Logger.getLogger(StoredKeys.class);

    private final Clock clock;

    StoredKeys(Clock clock) {
        this.clock = clock;
    }

    /** The data that admission needs of a secret's key. One query, without a transaction, from any thread. */
    @ActivateRequestContext
    Optional<CachedKey> find(KeyHash hash) {
        return ApiKey.Secret.findKnown(hash);
    }

    /**
     * Gives a key whose version in PostgreSQL is behind the one in Redis a version that is newer than both, and changes nothing else. Logs
     * a warning.
     */
    @Transactional
    void overtake(long id, long known) {
        ApiKey.lock(id).filter(key -> key.version < known).ifPresent(key -> {
            LOG.warnf(
                    "PostgreSQL has gone back: key %d has version %d there, but version %d in Redis."
                            + " The data in PostgreSQL is used",
                    id, key.version, known);
            key.raiseVersion(known, clock.instant());
        });
    }
}
