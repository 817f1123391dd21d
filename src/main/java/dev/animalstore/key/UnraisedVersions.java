package dev.animalstore.key;

import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The versions of keys that the replicas may not have been told of. Each is recorded in the transaction that makes it, so that one whose
 * replica dies before it has told the others, or cannot reach them, is not lost.
 */
@Singleton
public final class UnraisedVersions {
    /** Few enough to be told of well within a second. */
    private static final int BATCH = 1000;

    /** Records a version, in the present transaction. */
    void add(KeyVersion added) {
        UnraisedVersion.add(added);
    }

    /**
     * Some of the recorded versions, or none while the database fails, since the caller asks again soon. Asked in a request context, and
     * without a transaction, since one that a shutdown interrupts would be logged as an error.
     */
    public List<KeyVersion> list() {
        try {
            return UnraisedVersion.some(BATCH).stream()
                    .map(each -> new KeyVersion(each.keyId, each.version, each.banLifted))
                    .toList();
        } catch (RuntimeException unavailable) {
            return List.of();
        }
    }

    /** Forgets a version that all replicas know of, and older ones of the key. While the database fails it stays, to be told of again. */
    public void forget(KeyVersion known) {
        try {
            QuarkusTransaction.requiringNew().run(() -> UnraisedVersion.forget(known.keyId(), known.version()));
        } catch (RuntimeException unavailable) {
            // It is in the list the next time.
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
        /** What both versions of a key tell together. */
        public KeyVersion and(KeyVersion other) {
            return new KeyVersion(keyId, Math.max(version, other.version), banLifted || other.banLifted);
        }
    }
}
