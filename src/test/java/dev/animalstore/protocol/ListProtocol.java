package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;
import static dev.animalstore.protocol.Mechanism.*;

import java.util.stream.IntStream;

/**
 * Which page of the catalogue is served: one page, whose content is how many pets it shows. Of a version only the equality matters: it is a
 * number from 1, or 0 if there is none. {@link ListWorld} tells whether it is trusted.
 */
final class ListProtocol extends ListWorld {
    // What a request that is not idle does next.
    private static final int FINDS = 1;
    private static final int QUERIES = 2;
    private static final int ENDS_READ = 3;
    private static final int WAITS = 4;

    private final int page = fieldsOfReplicas("version of page", 3);
    private final int shown = fieldsOfReplicas("pets of page", 2);
    private final int loading = fieldsOfReplicas("page is being read", 1);
    private final int known = fields("version of request", 3, requests.length);
    private final int found = fields("pets found by request", 2, requests.length);
    private final int owner = fields("request reads the page", 1, requests.length);
    private final int adding = numbersOfReplicas("addition at", scenario.additions);
    private final int retried = fields("announced for", 3, scenario.additions);
    private final int excepted = fields("exception for addition", 1, scenario.additions);
    private final int pets = fields("pets", 2, 1);
    private final int acknowledged = fields("acknowledged pets", 2, 1);
    private final int excused = fields("pets of an exception", 2, 1);
    private final int version = fields("version in Redis", 3, 1);
    private final int versions = fields("last version", 3, 1);

    ListProtocol(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        super(scenario, replicas, requests, counted, removed);
        s[version] = s[versions] = 1;
        for (int r : this.replicas) {
            s[page + r] = 1;
            for (int q : this.requests) {
                step("ListVersions.begin", r, () -> runs(r) && isNext(q), () -> begin(q, r));
                step("PageCache.find", r, () -> is(FINDS, q, r), () -> find(q, r));
                step("PageCache.load: queries", r, () -> is(QUERIES, q, r), () -> query(q));
                step("PageCache.load", r, () -> is(ENDS_READ, q, r), () -> endRead(q, r));
            }
            step("Pet.add", r, () -> runs(r) && s[pets] < scenario.additions, () -> add(s[pets]++, r));
            for (int a = 0; a < scenario.additions; a++) {
                announces(a, r);
            }
            fault(REDIS_FAILS_OVER, NOBODY, () -> s[page + r] != 0, () -> goBack(s[page + r], true));
            fault(REDIS_GOES_BACK, NOBODY, () -> s[page + r] != 0, () -> {
                goBack(s[page + r], false);
                excuse(s[acknowledged], OLDER_DATA_IS_AN_EXCEPTION);
            });
        }
        step("Twice the cache time passes", NOBODY, () -> s[excused] > 0, this::expire);
        fault(REDIS_FAILS_OVER, NOBODY, () -> true, () -> goBack(++s[versions], true));
        fault(REDIS_IS_EMPTIED, NOBODY, () -> true, () -> goBack(0, true)); // It restarts without its data.
        fault(REDIS_IS_EMPTIED, NOBODY, () -> true, () -> goBack(0, false));
    }

    private void announces(int a, int r) {
        step("ListVersions.announce, 201", r, () -> isSent(a, r), () -> {
            replace(r);
            acknowledge(a);
        });
        fault(REPLY_IS_LOST, r, () -> isSent(a, r), () -> {
            replace(r);
            announcementFails(a, r);
        });
        step("ListVersions.announce: fails", r, () -> isAdding(a, r) && !works(r, true), () -> {
            connect(r);
            announcementFails(a, r);
        });
    }

    private boolean is(int next, int q, int r) {
        return s[state + q] == next && s[replica + q] == r + 1 && runs(r);
    }

    private boolean isAdding(int a, int r) {
        return s[adding + a] == r + 1 && runs(r);
    }

    /** Whether an announcement is about to be sent, which Redis executes. */
    private boolean isSent(int a, int r) {
        return isAdding(a, r) && works(r, true);
    }

    /** An announcement that is sent again comes before the next failure, as a probe does. */
    @Override
    final boolean mayFail() {
        boolean sent = !super.mayFail();
        for (int a = 0; a < scenario.additions; a++) {
            sent |= s[adding + a] > 0 && isSent(a, s[adding + a] - 1);
        }
        return !sent;
    }

    /** A list arrives, and Redis executes its HGET. */
    private void begin(int q, int r) {
        s[state + q] = QUERIES;
        s[replica + q] = r + 1;
        s[must + q] = s[acknowledged];
        connect(r);
        if (s[version] == 0 && works(r, true)) {
            s[version] = ++s[versions];
        } else if (s[version] != 0 && reaches(r) && isTrusted(r)) {
            s[state + q] = FINDS;
            s[known + q] = s[version];
        }
        for (int other : requests) {
            boolean joins = s[state + q] == QUERIES && is(ENDS_READ, other, r);
            s[state + q] = joins && !has(LIST_WITHOUT_VERSION_WAITS_FOR_THE_NEXT_QUERY) ? WAITS : s[state + q];
        }
    }

    private void find(int q, int r) {
        boolean present = s[page + r] == s[known + q] || (s[page + r] != 0 && !has(VERSIONS_ARE_COMPARED));
        if (!present) {
            disown(r);
            s[page + r] = s[known + q];
            s[shown + r] = 0;
            s[loading + r] = s[owner + q] = 1;
            s[state + q] = QUERIES;
        } else if (s[loading + r] == 1) {
            s[state + q] = WAITS;
        } else {
            respond(q, s[shown + r]);
        }
        s[known + q] = 0;
    }

    private void query(int q) {
        s[state + q] = ENDS_READ;
        s[found + q] = s[pets];
    }

    private void endRead(int q, int r) {
        if (s[owner + q] == 1) {
            s[loading + r] = 0;
            s[shown + r] = s[found + q];
            s[page + r] = has(VERSION_IS_READ_BEFORE_THE_PAGE) || !reaches(r) ? s[page + r] : s[version];
        }
        for (int other : requests) {
            if (is(WAITS, other, r)) {
                respond(other, s[found + q]);
            }
        }
        respond(q, s[found + q]);
    }

    private void respond(int q, int number) {
        if (number < s[must + q]) {
            violate(Promise.NEVER_STALE);
        }
        s[state + q] = s[replica + q] = s[must + q] = s[known + q] = s[found + q] = s[owner + q] = 0;
    }

    private void add(int a, int r) {
        s[adding + a] = r + 1;
    }

    @Override
    void freeze(int r) {
        super.freeze(r);
        for (int a = 0; a < scenario.additions; a++) {
            boolean writes = s[adding + a] == r + 1 && has(FROZEN_WRITER_IS_AN_EXCEPTION);
            s[excepted + a] = writes ? 1 : s[excepted + a];
        }
    }

    private void replace(int r) {
        connect(r);
        s[version] = has(ADDITION_IS_ANNOUNCED) ? ++s[versions] : s[version];
    }

    private void announcementFails(int a, int r) {
        boolean alone = !reaches(r) && IntStream.of(replicas).anyMatch(this::reaches);
        s[excepted + a] = alone && has(WRITER_CUT_OFF_IS_AN_EXCEPTION) ? 1 : s[excepted + a];
        if (Math.max(s[retried + a], failedFor(r)) >= RETRY_TIME || !has(ANNOUNCEMENT_IS_RETRIED)) {
            acknowledge(a);
        }
    }

    private void acknowledge(int a) {
        s[adding + a] = s[retried + a] = 0;
        if (s[excepted + a] == 1) {
            s[excused] = Math.max(s[excused], a + 1);
        } else {
            s[acknowledged] = Math.max(s[acknowledged], a + 1);
        }
    }

    /** Pets that a list need not show before twice the cache time. */
    private void excuse(int number, Mechanism exception) {
        if (has(exception)) {
            s[excused] = Math.max(s[excused], number);
            s[acknowledged] = 0;
        }
    }

    /** Pages from before the exception are too old by now, and no query takes that long. */
    private void expire() {
        s[acknowledged] = Math.max(s[acknowledged], s[excused]);
        s[excused] = 0;
        for (int r : replicas) {
            if (has(OLD_PAGE_IS_READ_AGAIN)) {
                s[page + r] = s[shown + r] = s[loading + r] = 0;
                disown(r);
            }
        }
    }

    @Override
    void drop(int r) {
        if (has(s[loading + r] == 1 ? QUERIES_IN_FLIGHT_ARE_DROPPED : PAGES_FROM_BEFORE_ARE_DROPPED)) {
            s[page + r] = s[shown + r] = s[loading + r] = 0;
        }
        if (has(QUERIES_IN_FLIGHT_ARE_DROPPED)) {
            disown(r);
            for (int q : requests) {
                if (s[state + q] == FINDS && s[replica + q] == r + 1) {
                    s[state + q] = QUERIES;
                    s[known + q] = 0;
                }
            }
        }
    }

    /** What the requests of a replica read is not kept. */
    private void disown(int r) {
        for (int q : requests) {
            s[owner + q] = s[replica + q] == r + 1 ? 0 : s[owner + q];
        }
    }

    private void goBack(int older, boolean disconnects) {
        s[version] = older;
        disconnect(disconnects);
    }

    @Override
    boolean isBusy() {
        boolean busy = super.isBusy();
        for (int r : replicas) {
            for (int q : requests) {
                busy |= is(FINDS, q, r);
            }
            for (int a = 0; a < scenario.additions; a++) {
                busy |= isAdding(a, r) && Math.max(s[retried + a], failedFor(r)) >= RETRY_TIME;
            }
        }
        return busy;
    }

    @Override
    void pass() {
        super.pass();
        for (int a = 0; a < scenario.additions; a++) {
            s[retried + a] = s[adding + a] == 0 ? 0 : Math.min(s[retried + a] + 1, RETRY_TIME);
        }
    }
}
