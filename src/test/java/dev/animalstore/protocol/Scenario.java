package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;

import java.util.EnumSet;
import java.util.Set;

/** What changes in a search, and which faults there are. */
@SuppressWarnings("ImmutableEnumChecker") // The sets of faults are not changed.
enum Scenario {
    REVOCATION("VE", LOOKS_TAKE_TIME, REDIS_DOES_NOT_REPLY, REDIS_LOSES_DATA, REDIS_IS_SPLIT, REPLICA_RESTARTS),
    EXTENSION("EV", LOOKS_TAKE_TIME, REDIS_DOES_NOT_REPLY, REDIS_LOSES_DATA, REDIS_IS_SPLIT, REPLICA_RESTARTS),
    SUSPENSION("VEV", REDIS_DOES_NOT_REPLY, REDIS_LOSES_DATA, REDIS_IS_SPLIT, REPLICA_RESTARTS),
    NEW_SECRET("UV", LOOKS_TAKE_TIME, REDIS_DOES_NOT_REPLY, REDIS_LOSES_DATA, REPLICA_RESTARTS),
    SQL(
            "VE",
            LOOKS_TAKE_TIME,
            SQL_CHANGES_THE_KEY,
            CHANGES_ARE_TOO_MANY,
            REDIS_DOES_NOT_REPLY,
            REDIS_LOSES_DATA,
            REPLICA_RESTARTS),
    NO_POSTGRES("VE", LOOKS_TAKE_TIME, REDIS_DOES_NOT_REPLY, POSTGRES_IS_AWAY),
    FROZEN_REPLICA("VE", LOOKS_TAKE_TIME, REDIS_DOES_NOT_REPLY, REPLICA_FREEZES),
    RESTORE("VV", LOOKS_TAKE_TIME, REDIS_DOES_NOT_REPLY, REDIS_LOSES_DATA, POSTGRES_IS_RESTORED),
    ADDITION(1, REDIS_IS_AWAY, REDIS_REFUSES_WRITES, REDIS_IS_EMPTIED, REDIS_FAILS_OVER, CONNECTION_IS_LOST),
    TWO_ADDITIONS(2, REDIS_IS_AWAY, REDIS_REFUSES_WRITES, REDIS_FAILS_OVER, CONNECTION_IS_LOST),
    TWO_OUTAGES(1, REDIS_IS_AWAY, REDIS_REFUSES_WRITES),
    PAUSES(1, REDIS_IS_AWAY, REDIS_REFUSES_WRITES, REPLICA_FREEZES),
    LOST_REPLIES(1, REDIS_IS_AWAY, REPLY_IS_LOST),
    LIST_CUT_OFF(1, CUT_OFF_FROM_REDIS),
    LIST_OF_OLDER_DATA(1, REDIS_GOES_BACK),
    TRUST(0, REDIS_IS_AWAY, REDIS_REFUSES_WRITES, CONNECTION_IS_LOST, REPLICA_FREEZES),

    // In this one a revoked key may be admitted, as docs/faults.md says.
    SUSPENDED_MACHINE("VE", LOOKS_TAKE_TIME, MACHINE_IS_SUSPENDED, REDIS_LOSES_DATA),

    // These are searched in the profile full only.
    SQL_AND_OPERATOR("VVE", SQL_CHANGES_THE_KEY, REDIS_DOES_NOT_REPLY, REDIS_LOSES_DATA, REPLICA_RESTARTS),
    FROZEN_WITHOUT_POSTGRES("VE", REDIS_DOES_NOT_REPLY, REPLICA_FREEZES, POSTGRES_IS_AWAY),
    FROZEN_OPERATOR("VEV", REPLICA_FREEZES, REDIS_LOSES_DATA);

    /** What the key is, one after the other: valid (V), ended, that is revoked, suspended or expired (E), or unknown (U). */
    final String key;

    final int additions;
    final Set<Fault> faults;

    Scenario(String key, Fault first, Fault... others) {
        this.key = key;
        additions = 0;
        faults = EnumSet.of(first, others);
    }

    Scenario(int additions, Fault first, Fault... others) {
        key = "";
        this.additions = additions;
        faults = EnumSet.of(first, others);
    }

    /** @param counted how many faults happen at most */
    Protocol protocol(int replicas, int requests, int counted, Mechanism removed) {
        return key.isEmpty()
                ? new ListProtocol(this, replicas, requests, counted, removed)
                : new KeyProtocol(this, replicas, requests, counted, removed);
    }
}
