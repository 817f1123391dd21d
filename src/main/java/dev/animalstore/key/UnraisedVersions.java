package dev.animalstore.key;

import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The versions of keys that may not be published to the replicas yet. Each is recorded in the transaction that creates it, so it is not
 * lost if its replica dies before publishing it or cannot reach Redis.
 */
@Singleton
public final class UnraisedVersions {
    /** Few enough to be published well within a second. */
    private static final int BATCH = 1000;

    /** Records a version, in the current transaction. */
    void add(KeyVersion added) {
        UnraisedVersion.add(added);
    }

    /**
     * Some of the recorded versions, or none while the database is unavailable, since the caller polls. Runs in a request context without a
     * transaction, because a transaction interrupted by a shutdown would be logged as an error.
     */
    public List<KeyVersion> list() {
        try {
            return UnraisedVersion.some(BATCH).stream()
                    .map(row -> new KeyVersion(row.keyId, row.version, row.banLifted))
                    .toList();
        } catch (RuntimeException unavailable) {
            return List.of();
        }
    }

    /** Deletes a version that is published, and older ones of the key. If the database is unavailable it stays and is published again. */
    public void forget(KeyVersion known) {
        try {
            QuarkusTransaction.requiringNew().run(() -> UnraisedVersion.forget(known.keyId(), known.version()));
        } catch (RuntimeException unavailable) {
            // The version stays in the list.
        }
    }

    /**
     * A version of a key.
     *
     * @param keyId identifies the key
     * @param version as in {@link KeyDetails}
     * @param banLifted whether this version lifts the ban of the key, if it has one
     */
    public record KeyVersion(long keyId, long version, boolean banLifted) {
        /** The combination of two versions of a key. */
        public KeyVersion and(KeyVersion other) {
            return new KeyVersion(keyId, Math.max(version, other.version), banLifted || other.banLifted);
        }
    }
}
