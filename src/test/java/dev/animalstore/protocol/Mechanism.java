package dev.animalstore.protocol;

import static dev.animalstore.protocol.Promise.*;

/** The parts of the protocols, each with a promise that is broken without it, and the scenario in which it is. */
enum Mechanism {
    KEY_IS_ANNOUNCED(NEXT_REQUEST, Scenario.REVOCATION),
    /** Otherwise a roll-back leaves Redis ahead. */
    CHANGE_IS_ANNOUNCED_AFTER_ITS_COMMIT(KNOWN_KEYS_ARE_SERVED, Scenario.NO_POSTGRES),
    ANNOUNCEMENT_IS_COMPARED(NEXT_REQUEST, Scenario.SUSPENSION),
    SCRIPT_COMPARES_VERSIONS(NEXT_REQUEST, Scenario.REVOCATION),
    SCRIPT_DECIDES_ENDS(NEXT_REQUEST, Scenario.EXTENSION),
    LOOK_FORGETS_WHAT_HAS_CHANGED(WITHIN_30_S, Scenario.REVOCATION),
    LOOK_SEES_SQL(SQL_WITHIN_30_S, Scenario.SQL),
    READ_OVER_A_LOOK_IS_NOT_KEPT(SQL_WITHIN_30_S, Scenario.SQL),
    FIRST_LOOK_IS_BEFORE_READY(SQL_WITHIN_30_S, Scenario.SQL),
    LOOK_THAT_FAILS_MOVES_NOTHING(WITHIN_30_S, Scenario.NO_POSTGRES),
    CHANGES_THAT_ARE_TOO_MANY_FORGET_ALL_COPIES(SQL_WITHIN_30_S, Scenario.SQL),
    REPLICA_THAT_WAS_AWAY_LOOKS_FIRST(WITHIN_30_S, Scenario.FROZEN_REPLICA),
    LOOK_THAT_WAS_TRIED_IS_ENOUGH_FOR_REDIS(KNOWN_KEYS_ARE_SERVED, Scenario.NO_POSTGRES),
    LOOK_IS_AS_OLD_AS_ITS_BEGINNING(WITHIN_30_S, Scenario.FROZEN_REPLICA),
    COPY_IS_AS_OLD_AS_ITS_QUERY(WITHIN_30_S, Scenario.FROZEN_WITHOUT_POSTGRES, 2, 1),
    COPY_DECIDES_ALONE_FOR_30_S(WITHIN_30_S, Scenario.NO_POSTGRES),
    /** A look after the copy was taken from memory tells nothing of it. */
    COPY_IS_AS_OLD_AS_WHEN_TAKEN(WITHIN_30_S, Scenario.NO_POSTGRES),
    LOOK_NOTICES_A_RESTORE(RESTORED, Scenario.RESTORE),
    VERSION_IS_RAISED(NO_503_AFTER_RESTORE, Scenario.RESTORE),
    UNKNOWN_IS_FORGOTTEN(NO_FALSE_401, Scenario.NEW_SECRET),

    ADDITION_IS_ANNOUNCED(NEVER_STALE, Scenario.ADDITION),
    ANNOUNCEMENT_IS_RETRIED(NEVER_STALE, Scenario.ADDITION),
    VERSIONS_ARE_COMPARED(NEVER_STALE, Scenario.ADDITION),
    VERSION_IS_READ_BEFORE_THE_PAGE(NEVER_STALE, Scenario.LOST_REPLIES),
    LIST_WITHOUT_VERSION_WAITS_FOR_THE_NEXT_QUERY(NEVER_STALE, Scenario.ADDITION, 1, 2),
    FAILED_PROBE_ENDS_TRUST(NEVER_STALE, Scenario.TWO_OUTAGES),
    /** What the probes of one replica have seen says nothing of what those of another have: between two of them Redis may have worked. */
    FAILED_PROBE_IS_RETRIED_AT_ONCE(NEVER_STALE, Scenario.TWO_OUTAGES, 2, 1),
    FAILURES_BEFORE_A_PAUSE_DO_NOT_COUNT(NEVER_STALE, Scenario.PAUSES, 3, 1),
    TRUST_ENDS_IN_TIME(NEVER_STALE, Scenario.PAUSES, 2, 1),
    TRUST_RETURNS(TRUSTED_AGAIN, Scenario.TRUST),
    NEW_CONNECTION_ENDS_TRUST(NEVER_STALE, Scenario.ADDITION),
    PROBE_WRITES(NEVER_STALE, Scenario.TWO_OUTAGES),
    PAGES_FROM_BEFORE_ARE_DROPPED(NEVER_STALE, Scenario.TWO_OUTAGES),
    QUERIES_IN_FLIGHT_ARE_DROPPED(NEVER_STALE, Scenario.TWO_OUTAGES),
    OLD_PAGE_IS_READ_AGAIN(NEVER_STALE, Scenario.LIST_OF_OLDER_DATA),

    // Exceptions that the contract names: without them the promise would be broken.
    WRITER_CUT_OFF_IS_AN_EXCEPTION(NEVER_STALE, Scenario.LIST_CUT_OFF),
    FROZEN_WRITER_IS_AN_EXCEPTION(NEVER_STALE, Scenario.PAUSES, 2, 1),
    OLDER_DATA_IS_AN_EXCEPTION(NEVER_STALE, Scenario.LIST_OF_OLDER_DATA);

    final Promise promise;
    final Scenario scenario;

    /** How many faults break the promise. */
    final int faults;

    /** How many requests at once break the promise. */
    final int requests;

    Mechanism(Promise promise, Scenario scenario) {
        this(promise, scenario, 1, 1);
    }

    Mechanism(Promise promise, Scenario scenario, int faults, int requests) {
        this.faults = faults;
        this.requests = requests;
        this.promise = promise;
        this.scenario = scenario;
    }
}
