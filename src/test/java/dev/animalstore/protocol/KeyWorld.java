package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;
import static dev.animalstore.protocol.Mechanism.*;

/**
 * Redis, PostgreSQL, operators and time, as far as they concern one key, and what is promised of it. The row of the key has one content
 * after the other, counted from 1. Time is counted in intervals of looks, ten seconds; requests and looks take none of it.
 */
abstract class KeyWorld extends Protocol {
    /** The 30 s of the promises, and of {@code animalstore.keys.cache-time}. */
    static final int BOUND = 3;

    // How a change was made known.
    private static final int ACKNOWLEDGED = 1;
    private static final int ANNOUNCED = 2;
    private static final int BY_SQL = 3;
    private static final int LOST = 4;

    final int row = fields("content in PostgreSQL", 2, 1);
    final int last = fields("last content", 2, 1);
    final int version = fields("version of content", 3, scenario.key.length() + 1);
    final int start = fields("starts of PostgreSQL", 2, 1);
    private final int versions = fields("last version", 3, 1);
    private final int change = fields("change", 3, scenario.key.length() + 1);
    private final int age = fields("age of change", 3, scenario.key.length() + 1);
    private final int operator = fields("operator waits at", 2, 1);
    private final int unreached = fields("replicas without PostgreSQL", 3, 1);
    private final int newest = fields("version in Redis", 3, 1);
    private final int formerMaster = fields("version at the former master", 3, 1);
    private final int split = fields("replicas at the former master", 3, 1);

    KeyWorld(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        super(scenario, replicas, requests, counted, removed);
        s[newest] = s[row] = s[last] = s[versions] = s[version + 1] = 1;
        s[change + 1] = BY_SQL;
        s[age + 1] = BOUND + 1;
        for (int r : this.replicas) {
            step("KeyOperations.changed", r, () -> mayChange() && reachesPostgres(r), () -> {
                change(++s[versions], 0);
                s[operator] = r + 1;
            });
            step("QuotaLimiter.announce, response", r, () -> s[operator] == r + 1 && works(r, true), () -> {
                announce(r, has(KEY_IS_ANNOUNCED) ? s[version + s[last]] : 0);
                respond(s[split] == 0 ? ANNOUNCED : ACKNOWLEDGED);
            });
            step(
                    "QuotaLimiter.announce: fails, response",
                    r,
                    () -> s[operator] == r + 1 && mayFail(r, true),
                    () -> respond(ACKNOWLEDGED));
            fault(REPLICA_RESTARTS, r, () -> true, () -> restart(r));
        }
        if (may(SQL_CHANGES_THE_KEY)) { // Its plan, say, which raises no version.
            step("SQL changes the key", NOBODY, this::mayChange, () -> change(s[version + s[row]], BY_SQL));
        }
        step("Ten seconds pass", NOBODY, () -> !isBusy(), this::grow);
        step("The split ends", NOBODY, () -> s[split] != 0, () -> s[split] = s[formerMaster] = 0);
        step("PostgreSQL is reached again", NOBODY, () -> s[unreached] != 0, () -> s[unreached] = 0);
        for (int i = 0; i < 8; i++) {
            faults(i, (1 << replicas) - 1);
        }
    }

    /** The faults that have a parameter: a version, a set of replicas, or a content. */
    private void faults(int i, int all) {
        if (may(REDIS_DOES_NOT_REPLY)) {
            step("Redis executes late", NOBODY, () -> s[newest] < i && i <= s[versions], () -> s[newest] = i);
        }
        fault(REDIS_LOSES_DATA, NOBODY, () -> i < s[newest], () -> {
            s[newest] = i;
            loseAnnouncements();
        });
        fault(REDIS_IS_SPLIT, NOBODY, () -> s[split] == 0 && 0 < i && i < all, () -> {
            s[split] = i;
            s[formerMaster] = s[newest];
            loseAnnouncements();
        });
        fault(POSTGRES_IS_AWAY, NOBODY, () -> s[unreached] == 0 && 0 < i && i <= all, () -> s[unreached] = i);
        fault(POSTGRES_IS_RESTORED, NOBODY, () -> 0 < i && i < s[row], () -> {
            for (int c = i + 1; c <= s[last]; c++) {
                s[change + c] = LOST;
                s[age + c] = 0;
            }
            s[row] = i;
            s[start]++;
        });
    }

    private boolean mayChange() {
        return s[last] < scenario.key.length() && s[operator] == 0;
    }

    private void change(int next, int how) {
        s[row] = ++s[last];
        s[version + s[row]] = next;
        s[change + s[row]] = how;
    }

    final void announce(int r, int announced) {
        s[redis(r)] = Math.max(s[redis(r)], announced);
    }

    private void respond(int how) {
        s[operator] = 0;
        s[change + s[last]] = s[change + s[last]] == LOST ? LOST : how;
    }

    private void loseAnnouncements() {
        for (int c = 2; c <= s[last]; c++) {
            s[change + c] = s[change + c] == ANNOUNCED ? ACKNOWLEDGED : s[change + c];
        }
    }

    final void raiseVersion(int above) {
        if (s[version + s[row]] < above) {
            s[version + s[row]] = ++s[versions];
        }
    }

    /** Where the version in the Redis of a replica is. */
    final int redis(int r) {
        return (s[split] >> r & 1) == 1 ? formerMaster : newest;
    }

    /** Whether a command of a replica may fail. */
    final boolean mayFail(int r, boolean writes) {
        return may(REDIS_DOES_NOT_REPLY) || !works(r, writes);
    }

    final boolean reachesPostgres(int r) {
        return (s[unreached] >> r & 1) == 0;
    }

    /** Whether a content is valid (V), ended (E) or unknown (U). */
    final boolean is(char what, int content) {
        return content > 0 && scenario.key.charAt(content - 1) == what;
    }

    /** Whether a look finds changes after a content. */
    final boolean isChangedSince(int content) {
        boolean changed = false;
        for (int c = content + 1; c <= s[last]; c++) {
            changed |= s[change + c] != BY_SQL || has(LOOK_SEES_SQL);
        }
        return changed;
    }

    void restart(int r) {
        for (int q : requests) {
            if (s[replica + q] == r) {
                end(q);
            }
        }
        if (s[operator] == r + 1) {
            respond(ACKNOWLEDGED); // Nobody got the response, but the change was made.
        }
    }

    /** A request arrives, and must obey the last change that was made known. */
    final void arrive(int q, int r) {
        s[replica + q] = r;
        s[must + q] = s[change + s[last]] == 0 ? s[last] - 1 : s[last];
    }

    void end(int q) {
        s[state + q] = s[replica + q] = s[must + q] = 0;
    }

    /** A request is decided by a content of the row, with Redis or without. */
    final void verdict(int q, int by, boolean alone) {
        int due = s[must + q];
        while (!isDue(due, alone)) {
            due--;
        }
        if (s[change + by] == LOST && s[age + by] > BOUND) {
            violate(Promise.RESTORED);
        } else if (by < due && (is('V', by) || is('V', due))) {
            Promise bound = is('V', by) ? Promise.WITHIN_30_S : Promise.NO_FALSE_401;
            Promise late = s[change + due] == BY_SQL ? Promise.SQL_WITHIN_30_S : bound;
            violate(s[age + due] > BOUND ? late : Promise.NEXT_REQUEST);
        }
        end(q);
    }

    /** Whether a change holds by now. While PostgreSQL is away, nobody can tell what Redis has forgotten. */
    private boolean isDue(int c, boolean alone) {
        boolean late = s[age + c] > BOUND && (alone || !may(POSTGRES_IS_AWAY));
        return c == 1 || (s[change + c] != LOST && (late || (s[change + c] == ANNOUNCED && !alone)));
    }

    /** Whether something is to be done before time passes. */
    boolean isBusy() {
        boolean busy = s[operator] != 0;
        for (int q : requests) {
            busy |= s[state + q] != IDLE;
        }
        return busy;
    }

    void grow() {
        for (int c = 2; c <= s[last]; c++) {
            s[age + c] = Math.min(s[age + c] + 1, BOUND + 1);
            if (s[age + c] > BOUND && !may(POSTGRES_IS_RESTORED)) {
                s[change + c] = s[change + c] == ANNOUNCED ? ACKNOWLEDGED : s[change + c];
                s[change + c - 1] = BY_SQL; // How that one was made known no longer matters.
                s[age + c - 1] = BOUND + 1;
            }
        }
    }
}
