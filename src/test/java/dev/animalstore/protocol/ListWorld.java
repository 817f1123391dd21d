package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;
import static dev.animalstore.protocol.Mechanism.*;

/**
 * Connections to Redis and probes, and so whether a replica trusts the catalogue's version. Time is counted in intervals of probes. Replicas probe
 * at times of their own: a loaded one is late by up to two intervals, one that is frozen by more.
 */
abstract class ListWorld extends Protocol {
    /** How many probes must succeed before the version is trusted. */
    private static final int PROBES = 2;

    /** Once an announcement, or a probe, has failed for so long, the addition is acknowledged. */
    static final int RETRY_TIME = 4;

    /** The last probe that has succeeded was sent so long ago at most. */
    private static final int TRUSTED_FOR = RETRY_TIME - 1;

    // When a replica that runs probes again.
    private static final int EARLIEST = 1;
    private static final int LATEST = 3;

    /** By then two probes have succeeded. */
    private static final int TRUSTED_AGAIN_AFTER = 2 * LATEST;

    private final int missing = fieldsOfReplicas("probes until trust", 2);
    private final int failing = fieldsOfReplicas("probes have failed for", 3);
    private final int probed = fieldsOfReplicas("last probe was sent before", 3);
    private final int connected = fieldsOfReplicas("connected", 1);
    /** 1 if it has just frozen; 2 once that was for longer than a probe or an announcement may be late without counting anew. */
    private final int frozen = fieldsOfReplicas("frozen", 2);

    private final int waits = fields("a replica does not trust, though everything works, for", 3, 1);

    ListWorld(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        super(scenario, replicas, requests, counted, removed);
        for (int r : this.replicas) {
            s[connected + r] = 1;
            step("ListVersions.probe", r, () -> mayProbe(r), () -> probe(r, probeWorks(r)));
            fault(CONNECTION_IS_LOST, r, () -> true, () -> s[connected + r] = 0);
            fault(REPLICA_FREEZES, r, () -> runs(r), () -> freeze(r));
            step("The replica continues", r, () -> s[frozen + r] == 2, () -> s[frozen + r] = 0);
        }
        step("An interval of probes passes", NOBODY, () -> !isBusy(), this::pass);
    }

    final boolean runs(int r) {
        return s[frozen + r] == 0;
    }

    void freeze(int r) {
        s[frozen + r] = 1;
    }

    final boolean isTrusted(int r) {
        return s[missing + r] == 0 && !isLate(r);
    }

    private boolean isLate(int r) {
        return s[probed + r] > TRUSTED_FOR && has(TRUST_ENDS_IN_TIME);
    }

    /** For how long all probes have failed. */
    final int failedFor(int r) {
        return Math.max(0, s[failing + r] - 1);
    }

    private boolean mayProbe(int r) {
        return runs(r) && (s[probed + r] >= EARLIEST || retries(r));
    }

    /** Whether a probe that has failed is sent again, and succeeds. */
    private boolean retries(int r) {
        return runs(r) && s[failing + r] > 0 && probeWorks(r) && has(FAILED_PROBE_IS_RETRIED_AT_ONCE);
    }

    private boolean probeWorks(int r) {
        return works(r, has(PROBE_WRITES));
    }

    void probe(int r, boolean works) {
        connect(r);
        if ((!works && has(FAILED_PROBE_ENDS_TRUST)) || isLate(r)) {
            endTrust(r);
        }
        s[probed + r] = 0;
        s[failing + r] = works ? 0 : Math.max(1, s[failing + r]);
        s[missing + r] = Math.max(0, s[missing + r] - (works && has(TRUST_RETURNS) ? 1 : 0));
    }

    /** RedisClient.onConnect */
    final void connect(int r) {
        if (reaches(r) && s[connected + r] == 0) {
            s[connected + r] = 1;
            if (has(NEW_CONNECTION_ENDS_TRUST)) {
                endTrust(r);
            }
        }
    }

    final void disconnect(boolean all) {
        for (int r : replicas) {
            s[connected + r] = all ? 0 : s[connected + r];
        }
    }

    private void endTrust(int r) {
        s[missing + r] = PROBES;
        s[waits] = 0;
        drop(r);
    }

    /** Pages from before, and those of queries in flight, are not served. */
    abstract void drop(int r);

    /** A probe that has failed is sent again within an interval. Redis does not begin to fail sooner than that after it has begun to work. */
    @Override
    boolean mayFail() {
        boolean retries = false;
        for (int r : replicas) {
            retries |= retries(r);
        }
        return !retries;
    }

    /** Whether something is to be done before time passes. */
    boolean isBusy() {
        boolean busy = !mayFail();
        for (int r : replicas) {
            busy |= s[probed + r] >= LATEST && runs(r);
        }
        return busy;
    }

    void pass() {
        boolean trusted = true;
        boolean works = scenario.additions == 0;
        for (int r : replicas) {
            trusted &= isTrusted(r);
            works &= runs(r) && works(r, true) && s[connected + r] == 1;
            s[probed + r] = Math.min(s[probed + r] + 1, TRUSTED_FOR + 1);
            s[frozen + r] = runs(r) ? 0 : 2;
            boolean continues = runs(r) || !has(FAILURES_BEFORE_A_PAUSE_DO_NOT_COUNT);
            int failed = continues ? Math.min(s[failing + r] + 1, RETRY_TIME + 1) : 1;
            s[failing + r] = s[failing + r] == 0 ? 0 : failed;
        }
        s[waits] = works && !trusted ? s[waits] + 1 : 0;
        if (s[waits] > TRUSTED_AGAIN_AFTER) {
            violate(Promise.TRUSTED_AGAIN);
        }
    }
}
