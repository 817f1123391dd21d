package dev.animalstore.protocol;

/** What happens beside the steps of the protocols: at most as often as a search says, but for the first three. */
enum Fault {
    /** Any command of a key may fail, and may be executed late. */
    REDIS_DOES_NOT_REPLY,
    /** The query of a look, and what it leads to, are two steps. */
    LOOKS_TAKE_TIME,
    SQL_CHANGES_THE_KEY,
    /** More than a look can read in its time, or too long a transaction. */
    CHANGES_ARE_TOO_MANY,
    REDIS_IS_AWAY,
    CUT_OFF_FROM_REDIS,
    REDIS_REFUSES_WRITES,
    REDIS_LOSES_DATA,
    REDIS_IS_SPLIT,
    REDIS_IS_EMPTIED,
    REDIS_FAILS_OVER,
    REDIS_GOES_BACK,
    CONNECTION_IS_LOST,
    REPLY_IS_LOST,
    POSTGRES_IS_AWAY,
    POSTGRES_IS_RESTORED,
    REPLICA_RESTARTS,
    REPLICA_FREEZES,
    /** A replica freezes, and its clock too. */
    MACHINE_IS_SUSPENDED
}
