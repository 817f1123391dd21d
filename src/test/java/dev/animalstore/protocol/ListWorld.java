package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;
import static dev.animalstore.protocol.Mechanism.*;

/**
 * Connections to Redis and probes, and so whether a replica trusts the catalogue's version. Time is counted in half intervals of probes;
 * replicas probe in turn.
 */
abstract class ListWorld extends Protocol {
    /** For a second an announcement is retried. */
    static final int RETRY_TIME = 4;

    private final int missing = fields("probes until trust", 2, replicas.length);
    private final int failing = fields("probes have failed for", 3, replicas.length);
    private final int due = fields("probe is due", 1, replicas.length);
    private final int turn = fields("turn", 1, 1);
    private final int connected = fields("connected", 1, replicas.length);
    private final int frozen = fields("frozen", 1, replicas.length);

    ListWorld(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        super(scenario, replicas, requests, counted, removed);
        for (int r : this.replicas) {
            s[connected + r] = 1;
            step("CatalogueVersion.probe", r, () -> runs(r) && isProbed(r), () -> probe(r, probeWorks(r)));
            fault(CONNECTION_IS_LOST, r, () -> true, () -> s[connected + r] = 0);
            fault(REPLICA_FREEZES, r, () -> runs(r), () -> s[frozen + r] = 1);
            step("The replica goes on", r, () -> !runs(r), () -> s[frozen + r] = 0);
        }
        step("Half an interval of probes passes", NOBODY, () -> !isBusy(), this::pass);
    }

    final boolean runs(int r) {
        return s[frozen + r] == 0;
    }

    final boolean isTrusted(int r) {
        return s[missing + r] == 0;
    }

    /** For how long all probes have failed. */
    final int failedFor(int r) {
        return Math.max(0, s[failing + r] - 1);
    }

    private boolean isProbed(int r) {
        return s[due + r] == 1 || (!isTrusted(r) && probeWorks(r) && !has(PROBES_ARE_AN_INTERVAL_APART));
    }

    private boolean probeWorks(int r) {
        return works(r, has(PROBE_WRITES));
    }

    void probe(int r, boolean works) {
        connect(r);
        s[due + r] = 0;
        s[failing + r] = works ? 0 : Math.max(1, s[failing + r]);
        s[missing + r] = Math.max(0, s[missing + r] - (works ? 1 : 0));
        if (!works && has(FAILED_PROBE_ENDS_TRUST)) {
            endTrust(r);
        }
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

    void endTrust(int r) {
        s[missing + r] = has(SECOND_PROBE_BRINGS_TRUST) ? 2 : 1;
        drop(r);
    }

    /** Pages from before, and those of queries in flight, are not served. */
    abstract void drop(int r);

    /** Whether something is to be done before time passes. */
    boolean isBusy() {
        boolean busy = false;
        for (int r : replicas) {
            busy |= s[due + r] == 1 && runs(r);
        }
        return busy;
    }

    /** Probes that would tell nothing new are left out. */
    void pass() {
        s[turn] ^= 1;
        for (int r : replicas) {
            if (runs(r)) {
                boolean tells = s[missing + r] + s[failing + r] > 0 || s[connected + r] == 0 || !probeWorks(r);
                s[due + r] = tells && s[turn] == r % 2 ? 1 : 0;
                s[failing + r] = s[failing + r] == 0 ? 0 : Math.min(s[failing + r] + 1, RETRY_TIME + 1);
            }
        }
    }
}
