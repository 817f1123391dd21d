package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;
import static dev.animalstore.protocol.Mechanism.*;

/** Which copy of a key decides. {@link KeyWorld} has what is around it. */
class KeyProtocol extends KeyWorld {
    // What a request that is not idle does next.
    private static final int QUERIES = 1;
    private static final int ENDS_READ = 2;
    private static final int RAISES = 3;
    private static final int SPENDS = 4;

    // What a look that has queried leads to.
    private static final int NOTHING = 1;
    private static final int FORGETTING = 2;

    private static final int OLD = BOUND + 1;
    private static final int NEVER = BOUND + 2;
    private static final int UNKNOWN_TIME = 1;
    private static final int MAXIMUM_ATTEMPTS = 5;

    private final int copy = fieldsOfReplicas("copy", 2);
    private final int copyAge = fieldsOfReplicas("age of copy", 3);
    private final int copyVersion = fieldsOfReplicas("version of copy", 3);
    private final int looked = fieldsOfReplicas("age of last look", 3);
    private final int tried = fieldsOfReplicas("age of last look that was tried", 3);
    private final int looks = fieldsOfReplicas("look", 2);
    private final int lookAge = fieldsOfReplicas("age of look", 3);
    private final int tooMany = fieldsOfReplicas("changes are too many", 1);
    private final int seen = fieldsOfReplicas("last content seen", 2);
    private final int seenStart = fieldsOfReplicas("last start seen", 2);
    private final int held = fields("copy of request", 2, requests.length);
    private final int heldVersion = fields("version of request", 3, requests.length);
    private final int heldAge = fields("age of copy of request", 3, requests.length);
    private final int known = fields("known content", 2, requests.length);
    private final int forgotten = fields("forgotten since read began", 1, requests.length);
    private final int told = fields("version told by Redis", 3, requests.length);
    private final int attempts = fields("attempts", 3, requests.length);

    KeyProtocol(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        super(scenario, replicas, requests, counted, removed);
        for (int r : this.replicas) {
            s[seen + r] = 1;
            s[copy + r] = s[copyVersion + r] = scenario == Scenario.FROZEN_WITHOUT_POSTGRES ? 0 : 1;
            looks(r);
            for (int q : this.requests) {
                act("Admission.admit", r, () -> isNext(q) && isReady(r) && !isOverdue(r), () -> admit(q, r));
                ask("KeyQueries.query", QUERIES, q, r, () -> query(q));
                ask("KeyCache.read", ENDS_READ, q, r, () -> endRead(q, r));
                ask("KeyCache.raiseVersion", RAISES, q, r, () -> raise(q));
                spend(Reply.OUTDATED, q, r, () -> repeat(q, s[redis(r)]));
                spend(Reply.ENDED, q, r, () -> verdict(q, s[held + q], false));
                spend(Reply.DECISION, q, r, () -> verdict(q, s[held + q], false));
                act("Admission.decideAlone", r, () -> isUnavailable(q, r), () -> decideAlone(q, r));
            }
        }
    }

    /** A step that needs PostgreSQL. */
    private void ask(String name, int next, int q, int r, Runnable then) {
        act(name, r, () -> is(next, q, r) && reachesPostgres(r), then);
        act(name + " fails: 503", r, () -> is(next, q, r) && !reachesPostgres(r), () -> {
            if (s[known + q] != 0 && s[known + q] == s[row]) {
                violate(Promise.KNOWN_KEYS_ARE_SERVED);
            }
            end(q);
        });
    }

    private void spend(Reply reply, int q, int r, Runnable then) {
        act("QuotaLimiter.spend: " + reply, r, () -> gets(reply, q, r) && works(r, reply == Reply.DECISION), then);
    }

    private void looks(int r) {
        act("KeyLook.look: queries", r, () -> reachesPostgres(r) && mayLook(r), () -> {
            boolean finds = s[looked + r] != NEVER && (isBehind(r) || isChangedSince(s[seen + r]));
            s[looks + r] = finds && has(LOOK_FORGETS_WHAT_HAS_CHANGED) ? FORGETTING : NOTHING;
            s[seen + r] = s[last];
            s[seenStart + r] = s[start];
            s[tooMany + r] = 0;
            if (!may(LOOKS_TAKE_TIME)) {
                endLook(r);
            }
        });
        act("KeyLook.look", r, () -> s[looks + r] != 0, () -> endLook(r));
        act("KeyLook.look: fails", r, () -> lookFails(r), () -> {
            s[looked + r] = has(LOOK_THAT_FAILS_MOVES_NOTHING) ? s[looked + r] : 0;
            s[tried + r] = 0;
        });
        fault(CHANGES_ARE_TOO_MANY, r, () -> isChangedSince(s[seen + r]), () -> s[tooMany + r] = 1);
    }

    private boolean lookFails(int r) {
        boolean moves = s[looked + r] > 0 && !has(LOOK_THAT_FAILS_MOVES_NOTHING);
        return (!reachesPostgres(r) || isStuck(r)) && (s[tried + r] > 0 || moves);
    }

    /** Whether all looks from now on take too long. */
    private boolean isStuck(int r) {
        return s[tooMany + r] == 1 && !has(CHANGES_THAT_ARE_TOO_MANY_FORGET_ALL_COPIES);
    }

    private boolean is(int next, int q, int r) {
        return s[state + q] == next && s[replica + q] == r + 1;
    }

    /** What the script replies if Redis works. */
    private boolean gets(Reply reply, int q, int r) {
        boolean outdated = s[redis(r)] > s[heldVersion + q] && has(SCRIPT_COMPARES_VERSIONS);
        Reply present = outdated ? Reply.OUTDATED : is('V', s[held + q]) ? Reply.DECISION : Reply.ENDED;
        return is(SPENDS, q, r) && present == reply;
    }

    private boolean isUnavailable(int q, int r) {
        return is(SPENDS, q, r) && mayFail(r, gets(Reply.DECISION, q, r));
    }

    /** Whether a look is due, or finds something: those that find nothing are not taken earlier. */
    private boolean mayLook(int r) {
        boolean tells = s[looked + r] + s[tried + r] > 0 || isBehind(r) || isChangedSince(s[seen + r]);
        return s[looks + r] == 0 && !isStuck(r) && tells;
    }

    private boolean isBehind(int r) {
        return s[seenStart + r] != s[start] && has(LOOK_NOTICES_A_RESTORE);
    }

    /** Whether the replica itself was away, and so a look is tried first. */
    private boolean isOverdue(int r) {
        return s[tried + r] > BOUND && has(REPLICA_THAT_WAS_AWAY_LOOKS_FIRST);
    }

    private void admit(int q, int r) {
        arrive(q, r);
        boolean unknown = is('U', s[copy + r]);
        boolean old = unknown && s[copyAge + r] > UNKNOWN_TIME && has(UNKNOWN_IS_FORGOTTEN);
        boolean unsure = s[looked + r] > BOUND && !has(LOOK_THAT_WAS_TRIED_IS_ENOUGH_FOR_REDIS);
        boolean current = s[copyVersion + r] == s[version + s[row]] && is('V', s[copy + r]);
        s[known + q] = current && may(POSTGRES_IS_AWAY) ? s[copy + r] : 0;
        if (s[copy + r] == 0 || old || unsure) {
            read(q, 0);
        } else {
            s[held + q] = s[copy + r];
            s[heldVersion + q] = s[copyVersion + r];
            int recent = Math.min(OLD, Math.min(s[copyAge + r], s[looked + r]));
            s[heldAge + q] = recent == OLD || mayFreeze() ? recent : 0;
            decide(q);
        }
    }

    private void decide(int q) {
        boolean unknown = is('U', s[held + q]);
        if (unknown || (is('E', s[held + q]) && !has(SCRIPT_DECIDES_ENDS))) {
            verdict(q, s[held + q], unknown);
        } else {
            s[state + q] = SPENDS;
        }
    }

    private void decideAlone(int q, int r) {
        boolean later = s[looked + r] <= BOUND && !has(COPY_IS_AS_OLD_AS_WHEN_TAKEN);
        if (s[heldAge + q] <= BOUND || later || !has(COPY_DECIDES_ALONE_FOR_30_S)) {
            verdict(q, s[held + q], true);
        } else {
            s[known + q] = 0;
            read(q, 0);
        }
    }

    /** Admission.repeat. Attempts are counted only if they may be used up. */
    private void repeat(int q, int newest) {
        if (may(POSTGRES_IS_RESTORED) && ++s[attempts + q] == MAXIMUM_ATTEMPTS) {
            violate(Promise.NO_503_AFTER_RESTORE);
            end(q);
        } else {
            read(q, newest);
        }
    }

    private void read(int q, int newest) {
        s[state + q] = QUERIES;
        s[held + q] = s[heldVersion + q] = s[heldAge + q] = s[forgotten + q] = 0;
        s[told + q] = newest;
    }

    private void raise(int q) {
        raiseVersion(s[told + q]);
        read(q, 0);
    }

    private void query(int q) {
        s[state + q] = ENDS_READ;
        s[held + q] = s[row];
        s[heldVersion + q] = s[version + s[row]];
    }

    private void endRead(int q, int r) {
        boolean unknown = is('U', s[held + q]);
        if (s[forgotten + q] == 0 || unknown || !has(READ_OVER_A_LOOK_IS_NOT_KEPT)) {
            s[copy + r] = s[held + q];
            s[copyVersion + r] = s[heldVersion + q];
            s[copyAge + r] = has(COPY_IS_AS_OLD_AS_ITS_QUERY) ? s[heldAge + q] : 0;
        }
        s[forgotten + q] = 0;
        if (s[told + q] > s[heldVersion + q] && !unknown && has(VERSION_IS_RAISED)) {
            s[state + q] = RAISES;
            s[held + q] = s[heldVersion + q] = s[heldAge + q] = 0;
        } else {
            s[told + q] = 0;
            decide(q);
        }
    }

    private void endLook(int r) {
        for (int q : requests) {
            boolean reads = is(QUERIES, q, r) || is(ENDS_READ, q, r);
            s[forgotten + q] = reads && s[looks + r] == FORGETTING ? 1 : s[forgotten + q];
        }
        if (s[looks + r] == FORGETTING && !is('U', s[copy + r])) {
            forget(r);
        }
        s[looked + r] = s[tried + r] = has(LOOK_IS_AS_OLD_AS_ITS_BEGINNING) ? s[lookAge + r] : 0;
        s[looks + r] = s[lookAge + r] = 0;
    }

    private void forget(int r) {
        s[copy + r] = s[copyVersion + r] = s[copyAge + r] = 0;
    }

    @Override
    void end(int q) {
        super.end(q);
        read(q, 0);
        s[state + q] = s[known + q] = s[attempts + q] = IDLE;
    }

    @Override
    void restart(int r) {
        super.restart(r);
        forget(r);
        s[looks + r] = s[lookAge + r] = s[seen + r] = s[seenStart + r] = s[tried + r] = s[tooMany + r] = 0;
        s[looked + r] = NEVER;
    }

    private boolean isReady(int r) {
        return s[looked + r] != NEVER || !has(FIRST_LOOK_IS_BEFORE_READY);
    }

    @Override
    boolean isBusy() {
        boolean busy = super.isBusy();
        for (int r : replicas) {
            boolean due = s[looked + r] == NEVER ? isReady(r) : s[tried + r] > 0;
            busy |= runs(r) && (s[looks + r] != 0 || due);
        }
        return busy;
    }

    @Override
    void grow() {
        super.grow();
        for (int r : replicas) {
            if (grows(r)) {
                int most = is('U', s[copy + r]) ? UNKNOWN_TIME + 1 : s[copy + r] > 0 && ageMatters() ? OLD : 0;
                s[copyAge + r] = Math.min(s[copyAge + r] + 1, most);
                s[looked + r] = s[looked + r] > BOUND ? s[looked + r] : s[looked + r] + 1;
                s[tried + r] = s[looked + r] == NEVER ? 0 : Math.min(s[tried + r] + 1, OLD);
                s[lookAge + r] = s[looks + r] == 0 ? 0 : Math.min(s[lookAge + r] + 1, OLD);
            }
        }
        for (int q : requests) {
            boolean holds = s[state + q] == ENDS_READ || s[state + q] == SPENDS;
            s[heldAge + q] = holds && grows(s[replica + q] - 1) ? Math.min(s[heldAge + q] + 1, OLD) : s[heldAge + q];
        }
    }

    /** If no look fails, one was ten seconds ago at most, so it does not matter when a copy was read. */
    private boolean ageMatters() {
        return may(POSTGRES_IS_AWAY) || mayFreeze();
    }

    private boolean mayFreeze() {
        return may(REPLICA_FREEZES) || may(MACHINE_IS_SUSPENDED);
    }

    private enum Reply {
        OUTDATED,
        ENDED,
        DECISION
    }
}
