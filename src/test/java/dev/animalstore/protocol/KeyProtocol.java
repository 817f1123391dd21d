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

    private static final int NEVER = BOUND + 2;
    private static final int UNKNOWN_TIME = 1;
    private static final int MAXIMUM_ATTEMPTS = 5;

    final int copy = fields("copy", 2, replicas.length);
    final int copyAge = fields("age of copy", 3, replicas.length);
    final int looked = fields("age of last look", 3, replicas.length);
    final int held = fields("copy of request", 2, requests.length);
    private final int copyVersion = fields("version of copy", 3, replicas.length);
    private final int looks = fields("look", 2, replicas.length);
    private final int seen = fields("last content seen", 2, replicas.length);
    private final int seenStart = fields("last start seen", 2, replicas.length);
    private final int heldVersion = fields("version of request", 3, requests.length);
    private final int alone = fields("request may be decided alone", 1, requests.length);
    private final int forgotten = fields("forgotten since read began", 1, requests.length);
    private final int told = fields("version told by Redis", 3, requests.length);
    private final int attempts = fields("attempts", 3, requests.length);

    KeyProtocol(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        super(scenario, replicas, requests, counted, removed);
        for (int r : this.replicas) {
            s[copy + r] = s[copyVersion + r] = s[seen + r] = 1;
            looks(r);
            for (int q : this.requests) {
                step("Admission.admit", r, () -> isNext(q) && isReady(r), () -> admit(q, r));
                ask("KeyQueries.query", QUERIES, q, r, () -> query(q));
                ask("KeyCache.read", ENDS_READ, q, r, () -> endRead(q, r));
                ask("KeyCache.raiseVersion", RAISES, q, r, () -> raise(q));
                spend(Reply.OUTDATED, q, r, () -> repeat(q, s[redis(r)]));
                spend(Reply.ENDED, q, r, () -> decided(q, r));
                spend(Reply.DECISION, q, r, () -> decided(q, r));
                step("Admission.decideAlone", r, () -> isUnavailable(q, r), () -> decideAlone(q, r));
            }
        }
    }

    /** A step that needs PostgreSQL. */
    private void ask(String name, int next, int q, int r, Runnable then) {
        step(name, r, () -> is(next, q, r) && reachesPostgres(r), then);
        step(name + " fails: 503", r, () -> is(next, q, r) && !reachesPostgres(r), () -> end(q));
    }

    private void spend(Reply reply, int q, int r, Runnable then) {
        step("QuotaLimiter.spend: " + reply, r, () -> gets(reply, q, r) && works(r, reply == Reply.DECISION), then);
    }

    void looks(int r) {
        step("KeyLook.look: queries", r, () -> reachesPostgres(r) && mayLook(r), () -> {
            boolean finds = s[looked + r] != NEVER && (isBehind(r) || isChangedSince(s[seen + r]));
            s[looks + r] = finds && has(LOOK_FORGETS_WHAT_HAS_CHANGED) ? FORGETTING : NOTHING;
            s[seen + r] = s[last];
            s[seenStart + r] = s[start];
            if (!may(LOOKS_TAKE_TIME)) {
                endLook(r);
            }
        });
        step("KeyLook.look", r, () -> s[looks + r] != 0, () -> endLook(r));
        step(
                "KeyLook.look: fails",
                r,
                () -> !reachesPostgres(r) && !has(LOOK_THAT_FAILS_MOVES_NOTHING),
                () -> s[looked + r] = 0);
    }

    private boolean is(int next, int q, int r) {
        return s[state + q] == next && s[replica + q] == r;
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
        return s[looks + r] == 0 && (s[looked + r] > 0 || isBehind(r) || isChangedSince(s[seen + r]));
    }

    private boolean isBehind(int r) {
        return s[seenStart + r] != s[start] && has(LOOK_NOTICES_A_RESTORE);
    }

    void admit(int q, int r) {
        arrive(q, r);
        boolean old = is('U', s[copy + r]) && s[copyAge + r] > UNKNOWN_TIME && has(UNKNOWN_IS_FORGOTTEN);
        if (s[copy + r] == 0 || old) {
            read(q, 0);
        } else {
            s[held + q] = s[copy + r];
            s[heldVersion + q] = s[copyVersion + r];
            s[alone + q] = isRecent(r) || !has(COPY_DECIDES_ALONE_FOR_30_S) ? 1 : 0;
            decide(q);
        }
    }

    /** Whether the copy of a replica may decide without Redis. */
    boolean isRecent(int r) {
        return s[copyAge + r] <= BOUND || s[looked + r] <= BOUND;
    }

    private void decide(int q) {
        boolean unknown = is('U', s[held + q]);
        if (unknown || (is('E', s[held + q]) && !has(SCRIPT_DECIDES_ENDS))) {
            verdict(q, s[held + q], unknown);
        } else {
            s[state + q] = SPENDS;
        }
    }

    void decided(int q, int r) {
        verdict(q, s[held + q], false);
    }

    private void decideAlone(int q, int r) {
        if (s[alone + q] == 1 || (s[looked + r] <= BOUND && !has(COPY_IS_AS_OLD_AS_WHEN_TAKEN))) {
            verdict(q, s[held + q], true);
        } else {
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
        s[held + q] = s[heldVersion + q] = s[alone + q] = s[forgotten + q] = 0;
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
            s[copyAge + r] = 0;
        }
        s[forgotten + q] = 0;
        if (s[told + q] > s[heldVersion + q] && !unknown && has(VERSION_IS_RAISED)) {
            s[state + q] = RAISES;
            s[held + q] = s[heldVersion + q] = 0;
        } else {
            s[told + q] = 0;
            s[alone + q] = 1;
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
        s[looks + r] = s[looked + r] = 0;
    }

    final void forget(int r) {
        s[copy + r] = s[copyVersion + r] = s[copyAge + r] = 0;
    }

    @Override
    void end(int q) {
        super.end(q);
        s[held + q] = s[heldVersion + q] = s[alone + q] = s[forgotten + q] = s[told + q] = s[attempts + q] = 0;
    }

    @Override
    void restart(int r) {
        super.restart(r);
        forget(r);
        s[looks + r] = s[seen + r] = s[seenStart + r] = 0;
        s[looked + r] = NEVER;
    }

    private boolean isReady(int r) {
        return s[looked + r] != NEVER || !has(FIRST_LOOK_IS_BEFORE_READY);
    }

    @Override
    boolean isBusy() {
        boolean busy = super.isBusy();
        for (int r : replicas) {
            busy |= s[looks + r] != 0 || (s[looked + r] != 0 && isReady(r) && reachesPostgres(r));
        }
        return busy;
    }

    @Override
    void grow() {
        super.grow();
        for (int r : replicas) {
            int most = is('U', s[copy + r]) ? UNKNOWN_TIME + 1 : s[copy + r] > 0 && ageMatters() ? BOUND + 1 : 0;
            s[copyAge + r] = Math.min(s[copyAge + r] + 1, most);
            s[looked + r] = s[looked + r] > BOUND ? s[looked + r] : s[looked + r] + 1;
        }
    }

    /** If no look fails, one was ten seconds ago at most, so it does not matter when a copy was read. */
    boolean ageMatters() {
        return may(POSTGRES_IS_AWAY);
    }

    private enum Reply {
        OUTDATED,
        ENDED,
        DECISION
    }
}
