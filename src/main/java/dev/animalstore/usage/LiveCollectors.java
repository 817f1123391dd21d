package dev.animalstore.usage;

import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import java.util.UUID;

/** The replicas that collect usage, registered in PostgreSQL, so that each can detect that another was killed. */
@Singleton
final class LiveCollectors {
    /** How long a replica may be silent before it counts as killed: more than twice the interval between two signs. */
    private static final String SILENCE = "10 seconds";

    private static final String SIGN = """
            insert into usage_collector (replica, seen_at) values (?1, now())
            on conflict (replica) do update set seen_at = excluded.seen_at""";

    private static final String REMOVE_SILENT =
            "delete from usage_collector where seen_at < now() - interval '" + SILENCE + "'";

    private static final String LEAVE = "delete from usage_collector where replica = ?1";

    private final EntityManager database;

    /** Identifies this process. */
    private final UUID replica = UUID.randomUUID();

    LiveCollectors(EntityManager database) {
        this.database = database;
    }

    /**
     * Records that this replica is alive, and removes those that are not.
     *
     * @return whether any was removed; of several concurrent callers, one gets true
     */
    boolean signAndRemoveSilent() {
        return QuarkusTransaction.requiringNew().call(() -> {
            database.createNativeQuery(SIGN).setParameter(1, replica).executeUpdate();
            return database.createNativeQuery(REMOVE_SILENT).executeUpdate() > 0;
        });
    }

    /** Removes this replica, which has collected everything that it decided on. */
    void leave() {
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeQuery(LEAVE)
                        .setParameter(1, replica)
                        .executeUpdate());
    }
}
