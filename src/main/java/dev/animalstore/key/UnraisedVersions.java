package dev.animalstore.key;

import dev.animalstore.database.Database;
import dev.animalstore.database.DatabaseException;
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

    private static final String ADD = """
            insert into unraised_version (key_id, version) values (?, ?)
            on conflict (key_id) do update set version = greatest(unraised_version.version, excluded.version)""";

    private static final String LIST = "select key_id, version from unraised_version order by key_id limit ?";

    private static final String FORGET = "delete from unraised_version where key_id = ? and version <= ?";

    private final Database database;

    UnraisedVersions(Database database) {
        this.database = database;
    }

    /** Records a version, in the present transaction. */
    void add(long keyId, long version) {
        database.update(ADD, keyId, version);
    }

    /** Some of the recorded versions, or none while the database fails: whoever asks does so again and again. */
    public List<KeyVersion> list() {
        try {
            return database.query(row -> new KeyVersion(row.getLong(1), row.getLong(2)), LIST, BATCH);
        } catch (DatabaseException e) {
            return List.of();
        }
    }

    /** Forgets a version that all replicas know of, and older ones of the key. While the database fails it stays, to be told of again. */
    public void forget(KeyVersion known) {
        try {
            database.update(FORGET, known.keyId(), known.version());
        } catch (DatabaseException e) {
            // It is in the list the next time.
        }
    }

    /**
     * A version of a key.
     *
     * @param keyId identifies the key
     * @param version as in {@link KeyDetails}
     */
    public record KeyVersion(long keyId, long version) {}
}
