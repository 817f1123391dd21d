package dev.animalstore.protocol;

import static dev.animalstore.protocol.Fault.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/**
 * A state, which is a row of small numbers, and the steps from one to the next. Replicas are alike, so states that differ only in which one is which are
 * searched once. Here is what both protocols share.
 */
abstract class Protocol {
    static final int IDLE = 0;

    /** In place of a replica, for what no replica does. */
    static final int NOBODY = -1;

    private static final int MAXIMUM_FIELDS = 80;

    /** The present state. What a step changes is taken back after it. */
    final int[] s = new int[MAXIMUM_FIELDS];

    final Scenario scenario;
    final int[] replicas;
    final int[] requests;

    private final Mechanism removed;
    private final List<Step> steps = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final int[] bits = new int[MAXIMUM_FIELDS];
    private final int[] place = new int[MAXIMUM_FIELDS];
    private final int[] before = new int[MAXIMUM_FIELDS];
    private final Rotation[] rotations;
    private Promise broken;

    private final int faults;
    private final int cutOff;
    private final int refusing;

    final int state;
    final int replica;
    final int must;

    /**
     * @param counted how many faults happen at most
     * @param removed a mechanism that the protocol lacks; {@code null} if it lacks none
     */
    Protocol(Scenario scenario, int replicas, int requests, int counted, Mechanism removed) {
        this.scenario = scenario;
        this.replicas = IntStream.range(0, replicas).toArray();
        this.requests = IntStream.range(0, requests).toArray();
        this.removed = removed;
        rotations = IntStream.of(this.replicas).mapToObj(Rotation::new).toArray(Rotation[]::new);
        faults = fields("faults left", 2, 1);
        cutOff = setOfReplicas("replicas cut off from Redis");
        refusing = fields("Redis refuses writes", 1, 1);
        s[faults] = counted;
        state = fields("request", 3, requests);
        replica = numbersOfReplicas("replica of request", requests);
        must = fields("request must obey", 2, requests);
        fault(REDIS_IS_AWAY, NOBODY, () -> s[cutOff] == 0 && mayFail(), () -> s[cutOff] = (1 << replicas) - 1);
        for (int r : this.replicas) {
            fault(CUT_OFF_FROM_REDIS, r, () -> s[cutOff] == 0 && mayFail(), () -> s[cutOff] = 1 << r);
        }
        fault(REDIS_REFUSES_WRITES, NOBODY, () -> s[refusing] == 0 && mayFail(), () -> s[refusing] = 1);
        step("Redis is reached again", NOBODY, () -> s[cutOff] != 0, () -> s[cutOff] = 0);
        step("Redis accepts writes again", NOBODY, () -> s[refusing] != 0, () -> s[refusing] = 0);
    }

    /** Whether an outage of Redis may begin. */
    boolean mayFail() {
        return true;
    }

    /** Adds numbers of some bits to the state, and returns the index of the first. The first bit of a state is always set. */
    final int fields(String name, int width, int number) {
        return fields(name, width, number, (rotation, i) -> i, (rotation, value) -> value);
    }

    /** Adds one for each replica. */
    final int fieldsOfReplicas(String name, int width) {
        return fields(name, width, replicas.length, this::rotated, (rotation, value) -> value);
    }

    /** Adds numbers of replicas, from 1, or 0 for none. */
    final int numbersOfReplicas(String name, int number) {
        return fields(
                name, 2, number, (rotation, i) -> i, (rotation, of) -> of == 0 ? 0 : rotated(rotation, of - 1) + 1);
    }

    /** Adds a number with a bit for each replica. */
    final int setOfReplicas(String name) {
        IntBinaryOperator value = (rotation, set) -> IntStream.of(replicas)
                .map(r -> (set >> r & 1) << rotated(rotation, r))
                .sum();
        return fields(name, 3, 1, (rotation, i) -> i, value);
    }

    private int rotated(int rotation, int r) {
        return (r + rotation) % replicas.length;
    }

    private int fields(String name, int width, int number, IntBinaryOperator index, IntBinaryOperator value) {
        int first = names.size();
        for (int i = first; i < first + number; i++) {
            for (Rotation rotation : rotations) {
                rotation.index[i] = first + index.applyAsInt(rotation.by, i - first);
                rotation.values[i] = IntStream.range(0, 1 << width)
                        .map(v -> value.applyAsInt(rotation.by, v))
                        .toArray();
            }
            int next = i == 0 ? 1 : place[i - 1] + bits[i - 1];
            place[i] = next % Long.SIZE + width > Long.SIZE ? (next / Long.SIZE + 1) * Long.SIZE : next;
            bits[i] = width;
            names.add(number == 1 ? name : name + " " + (i - first));
        }
        return first;
    }

    /** @param by a replica, from 0, or {@link #NOBODY} */
    final void step(String name, int by, BooleanSupplier possible, Runnable change) {
        steps.add(new Step(name, by, possible, change));
    }

    final void fault(Fault fault, int by, BooleanSupplier possible, Runnable change) {
        if (may(fault)) {
            step(fault.name(), by, () -> s[faults] > 0 && possible.getAsBoolean(), () -> {
                s[faults]--;
                change.run();
            });
        }
    }

    /** How many longs a state takes. */
    final int words() {
        return place[names.size() - 1] / Long.SIZE + 1;
    }

    /** The present state, in which the replicas are rotated so that its bits are the least. */
    final void pack(long[] into) {
        for (Rotation rotation : rotations) {
            System.arraycopy(rotation.before, 0, rotation.packed, 0, rotation.packed.length);
        }
        for (int i = changed(0); i >= 0; i = changed(i + 1)) {
            if (s[i] >>> bits[i] != 0) {
                throw new IllegalStateException(names.get(i) + " is " + s[i]);
            }
            for (Rotation rotation : rotations) {
                rotation.change(rotation.packed, i, before[i], s[i]);
            }
        }
        long[] least = rotations[0].packed;
        for (Rotation rotation : rotations) {
            least = Arrays.compare(rotation.packed, least) < 0 ? rotation.packed : least;
        }
        System.arraycopy(least, 0, into, 0, into.length);
    }

    /** The state that was packed last, in which no replica is rotated. */
    final long[] unrotated() {
        return rotations[0].packed.clone();
    }

    /** Takes each step that is possible in a state, and calls back while the protocol is in the state after it. */
    final void visit(long[] from, int offset, BiConsumer<Step, Promise> visitor) {
        for (int i = names.size() - 1; i >= 0; i--) {
            int value = (int) (from[offset + place[i] / Long.SIZE] >>> place[i]) & (1 << bits[i]) - 1;
            for (Rotation rotation : rotations) {
                rotation.change(rotation.before, i, before[i], value);
            }
            s[i] = before[i] = value;
        }
        for (Step step : steps) {
            if (step.possible.getAsBoolean()) {
                step.change.run();
                visitor.accept(step, broken);
                broken = null;
                System.arraycopy(before, 0, s, 0, names.size());
            }
        }
    }

    /** What a step has changed. */
    final String describe(Step step) {
        StringBuilder text = new StringBuilder(step.name).append(step.by == NOBODY ? "" : ", replica " + step.by);
        for (int i = changed(0); i >= 0; i = changed(i + 1)) {
            text.append("; ")
                    .append(names.get(i))
                    .append(": ")
                    .append(before[i])
                    .append(" to ")
                    .append(s[i]);
        }
        return text.toString();
    }

    /** The first field from one on that the step has changed; negative if there is none. */
    private int changed(int from) {
        int next = Arrays.mismatch(s, from, MAXIMUM_FIELDS, before, from, MAXIMUM_FIELDS);
        return next < 0 ? next : from + next;
    }

    /** The step breaks a promise. */
    final void violate(Promise promise) {
        broken = promise;
    }

    final boolean has(Mechanism mechanism) {
        return removed != mechanism;
    }

    final boolean may(Fault fault) {
        return scenario.faults.contains(fault);
    }

    final boolean reaches(int r) {
        return (s[cutOff] >> r & 1) == 0;
    }

    /** Whether Redis executes a command of a replica, and replies. */
    final boolean works(int r, boolean writes) {
        return reaches(r) && !(writes && s[refusing] == 1);
    }

    /** Whether a request may begin: it takes the first place that is free. */
    final boolean isNext(int q) {
        return s[state + q] == IDLE && (q == 0 || s[state + q - 1] != IDLE);
    }

    /** The state, in which each replica has the number of one after it. */
    private final class Rotation {
        final int by;
        final int[] index = new int[MAXIMUM_FIELDS];
        final int[][] values = new int[MAXIMUM_FIELDS][];
        final long[] before = {1, 0, 0};
        final long[] packed = new long[before.length];

        Rotation(int by) {
            this.by = by;
        }

        void change(long[] bits, int i, int from, int to) {
            int at = place[index[i]];
            bits[at / Long.SIZE] ^= (long) (values[i][from] ^ values[i][to]) << at;
        }
    }

    record Step(String name, int by, BooleanSupplier possible, Runnable change) {}
}
