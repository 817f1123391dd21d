package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;
import static dev.animalstore.protocol.Mechanism.*;

import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Redis, PostgreSQL, operators and time, as far as they concern one key, and what is promised of it. The row of the key has one content
 * after the other, counted from 1. Time is counted in intervals of looks, ten seconds; requests and looks take none of it, unless their
 * replica is frozen.
 */
abstract class KeyWorld extends Protocol {
    /** The 30 s of the promises, and of {@code animalstore.keys.cache-time}. */
    static final int BOUND = 3;

    // How a change was made known.
    private static final int ACKNOWLEDGED = 1;
    private static final int ANNOUNCED = 2;
    private static final int BY_SQL = 3;
    private static final int LOST = 4;

    // A suspended replica, whose clock stands still, and one that has gone on within the last ten seconds.
    private static final int SUSPENDED = 1;
    private static final int RESUMED = 2;

    /** Two, if there are two changes. */
    private final int[] operators =
            IntStream.range(0, Math.min(2, scenario.key.length() - 1)).toArray();

    final int row = fields("content in PostgreSQL", 2, 1);
    final int last = fields("last content", 2, 1);
    final int version = fields("version of content", 3, scenario.key.length() + 1);
    final int start = fields("starts of PostgreSQL", 2, 1);
    private final int versions = fields("last version", 3, 1);
    private final int change = fields("change", 3, scenario.key.length() + 1);
    private final int age = fields("age of change", 3, scenario.key.length() + 1);
    private final int operator = numbersOfReplicas("operator waits at", operators.length);
    private final int written = fields("content of operator", 2, operators.length);
    private final int unreached = setOfReplicas("replicas without PostgreSQL");
    private final int newest = fields("version in Redis", 3, 1);
    private final int formerMaster = fields("version at the former master", 3, 1);
    private final int split = setOfReplicas("replicas at the former master");
    private final int frozen = fieldsOfReplicas("frozen", 1);
    private final int suspended = fieldsOfReplicas("suspended", 2);
    private final int late = fields("content that was due when request arrived", 2, requests.length);

    KeyWorld(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        super(scenario, replicas, requests, counted, removed);
        s[newest] = s[row] = s[last] = s[versions] = s[version + 1] = 1;
        s[change + 1] = BY_SQL;
        s[age + 1] = BOUND + 1;
        for (int r : this.replicas) {
            for (int o : operators) {
                operates(o, r);
            }
            fault(REPLICA_RESTARTS, r, () -> true, () -> restart(r));
            fault(REPLICA_FREEZES, r, () -> runs(r), () -> s[frozen + r] = 1);
            fault(MACHINE_IS_SUSPENDED, r, () -> runs(r), () -> s[frozen + r] = s[suspended + r] = SUSPENDED);
            step("The replica goes on", r, () -> !runs(r), () -> s[frozen + r] = 0);
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

    private void operates(int o, int r) {
        act("KeyOperations.changed", r, () -> s[operator + o] == 0 && mayChange() && reachesPostgres(r), () -> {
            change(++s[versions], 0);
            s[operator + o] = r + 1;
            s[written + o] = s[last];
        });
        if (!has(CHANGE_IS_ANNOUNCED_AFTER_ITS_COMMIT)) {
            act(
                    "KeyOperations: announces, and is rolled back",
                    r,
                    () -> s[versions] == 1 && works(r, true),
                    () -> announce(r, ++s[versions]));
        }
        act("QuotaLimiter.announce, response", r, () -> s[operator + o] == r + 1 && works(r, true), () -> {
            announce(r, s[version + s[written + o]]);
            respond(o, s[split] == 0 ? ANNOUNCED : ACKNOWLEDGED);
        });
        act(
                "QuotaLimiter.announce: fails, response",
                r,
                () -> s[operator + o] == r + 1 && mayFail(r, true),
                () -> respond(o, ACKNOWLEDGED));
    }

    /** A step of a replica, which takes none while it is frozen. */
    final void act(String name, int r, BooleanSupplier possible, Runnable change) {
        step(name, r, () -> runs(r) && possible.getAsBoolean(), change);
    }

    final boolean runs(int r) {
        return s[frozen + r] == 0;
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
        return s[last] < scenario.key.length();
    }

    private void change(int next, int how) {
        s[row] = ++s[last];
        s[version + s[row]] = next;
        s[change + s[row]] = how;
    }

    private void announce(int r, int announced) {
        boolean older = announced < s[redis(r)] && has(ANNOUNCEMENT_IS_COMPARED);
        s[redis(r)] = older || !has(KEY_IS_ANNOUNCED) ? s[redis(r)] : announced;
    }

    private void respond(int o, int how) {
        int c = s[written + o];
        s[operator + o] = s[written + o] = 0;
        s[change + c] = s[change + c] == LOST ? LOST : how;
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
            if (s[replica + q] == r + 1) {
                end(q);
            }
        }
        for (int o : operators) {
            if (s[operator + o] == r + 1) {
                respond(o, ACKNOWLEDGED); // Nobody got the response, but the change was made.
            }
        }
    }

    /** A request arrives, and must obey the last change that was made known. */
    final void arrive(int q, int r) {
        s[replica + q] = r + 1;
        for (int c = 1; c <= s[last]; c++) {
            s[must + q] = s[change + c] == 0 ? s[must + q] : c;
            s[late + q] = s[change + c] != LOST && s[age + c] > BOUND ? c : s[late + q];
        }
    }

    void end(int q) {
        s[state + q] = s[replica + q] = s[must + q] = s[late + q] = 0;
    }

    /** A request is decided by a content of the row, with Redis or without. */
    final void verdict(int q, int by, boolean alone) {
        int due = Math.max(s[must + q], s[late + q]);
        while (!isDue(q, due, alone)) {
            due--;
        }
        if (s[change + by] == LOST && s[age + by] > BOUND) {
            violate(Promise.RESTORED);
        } else if (by < due && (is('V', by) || is('V', due))) {
            Promise bound = is('V', by) ? Promise.WITHIN_30_S : Promise.NO_FALSE_401;
            Promise broken = s[change + due] == BY_SQL ? Promise.SQL_WITHIN_30_S : bound;
            boolean excepted = s[suspended + s[replica + q] - 1] != 0;
            violate(due > s[late + q] ? Promise.NEXT_REQUEST : excepted ? Promise.EXCEPT_WHAT_WAS_SUSPENDED : broken);
        }
        end(q);
    }

    /** Whether a change holds for a request. While PostgreSQL is away, nobody can tell what Redis has forgotten. */
    private boolean isDue(int q, int c, boolean alone) {
        boolean isLate = c <= s[late + q] && (alone || !may(POSTGRES_IS_AWAY));
        return c == 1 || (s[change + c] != LOST && (isLate || (s[change + c] == ANNOUNCED && !alone)));
    }

    /** Whether something is to be done before time passes. */
    boolean isBusy() {
        boolean busy = false;
        for (int o : operators) {
            busy |= s[operator + o] != 0 && runs(s[operator + o] - 1);
        }
        for (int q : requests) {
            busy |= s[state + q] != IDLE && runs(s[replica + q] - 1);
        }
        return busy;
    }

    /** Whether time passes for a replica too. */
    final boolean grows(int r) {
        return runs(r) || s[suspended + r] == 0;
    }

    void grow() {
        for (int r : replicas) {
            s[suspended + r] = !grows(r) ? SUSPENDED : s[suspended + r] == SUSPENDED ? RESUMED : 0;
        }
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
