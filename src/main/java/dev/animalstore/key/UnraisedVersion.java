package dev.animalstore.key;

import dev.animalstore.key.UnraisedVersions.KeyVersion;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.hibernate.annotations.Immutable;

/** A version of a key that may not be published to the replicas yet. */
@Entity
@Immutable
class UnraisedVersion extends PanacheEntityBase {
    private static final String ADD = """
            insert into unraised_version (key_id, version, ban_lifted) values (?1, ?2, ?3)
            on conflict (key_id) do update set version = greatest(unraised_version.version, excluded.version),
                                               ban_lifted = unraised_version.ban_lifted or excluded.ban_lifted""";

    /** The identifier of the key. */
    @Id
    long keyId;

    /** As in {@link KeyDetails}. */
    long version;

    /** Whether this version, or an older unpublished one, lifts the ban of the key. */
    boolean banLifted;

    /** Records a version, in the current transaction. */
    static void add(KeyVersion added) {
        getEntityManager()
                .createNativeQuery(ADD)
                .setParameter(1, added.keyId())
                .setParameter(2, added.version())
                .setParameter(3, added.banLifted())
                .executeUpdate();
    }

    /** At most {@code count} versions. */
    static List<UnraisedVersion> some(int count) {
        return find("order by keyId").range(0, count - 1).list();
    }

    /** Deletes a version of a key, and older ones. */
    static void forget(long keyId, long version) {
        delete("keyId = ?1 and version <= ?2", keyId, version);
    }
}
