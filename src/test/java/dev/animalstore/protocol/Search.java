package dev.animalstore.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A breadth-first search through all states of a protocol. States are compared as a whole, so one that finds nothing has seen all, and the
 * trace of one that finds something is the shortest. A state takes some 50 bytes.
 */
final class Search {
    private static final int INITIAL_STATES = 1 << 16;

    private final Protocol protocol;
    private final Set<Promise> watched;
    private final int words;
    private final long[] reached;

    /** Open addressing. A free place is zero. */
    private long[] table;

    /** The places of the states in the order in which they were found, which is the queue of the search as well. */
    private int[] places = new int[INITIAL_STATES];

    private int[] parents = new int[INITIAL_STATES];
    private int count;
    private int present;
    private Promise broken;

    private Search(Protocol protocol, Set<Promise> watched) {
        this.protocol = protocol;
        this.watched = watched;
        words = protocol.words();
        reached = new long[words];
        table = new long[2 * INITIAL_STATES * words];
    }

    /** Searches until one of the promises is broken, or through all states. */
    static Result run(Protocol protocol, Set<Promise> promises) {
        return new Search(protocol, promises).run();
    }

    private Result run() {
        protocol.pack(reached);
        add();
        while (broken == null && present < count) {
            protocol.visit(table, places[present], this::step);
            present += broken == null ? 1 : 0;
        }
        return new Result(count, broken, broken == null ? List.of() : trace());
    }

    private void step(Protocol.Step step, Promise violated) {
        if (broken == null) {
            protocol.pack(reached);
            add();
            broken = violated != null && watched.contains(violated) ? violated : null;
        }
    }

    private void add() {
        int place = place(reached, 0);
        if (table[place] == 0) {
            System.arraycopy(reached, 0, table, place, words);
            places[count] = place;
            parents[count] = present;
            if (++count == places.length) {
                grow();
            }
        }
    }

    /** Where a state is, or is to be. */
    private int place(long[] from, int offset) {
        long hash = 0;
        for (int word = 0; word < words; word++) {
            hash = (hash ^ from[offset + word]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        int mask = table.length / words - 1;
        for (int slot = (int) hash & mask; ; slot = slot + 1 & mask) {
            int place = slot * words;
            int same = 0;
            while (same < words && table[place + same] == from[offset + same]) {
                same++;
            }
            if (same == words || table[place] == 0) {
                return place;
            }
        }
    }

    private void grow() {
        long[] old = table;
        table = new long[2 * old.length];
        for (int state = 0; state < count; state++) {
            int place = place(old, places[state]);
            System.arraycopy(old, places[state], table, place, words);
            places[state] = place;
        }
        places = Arrays.copyOf(places, 2 * count);
        parents = Arrays.copyOf(parents, 2 * count);
    }

    /** The steps to the state that was reached last, found by taking them again from the first. */
    private List<String> trace() {
        List<long[]> states = new ArrayList<>(List.of(reached.clone()));
        for (int state = present; state > 0; state = parents[state]) {
            states.add(0, Arrays.copyOfRange(table, places[state], places[state] + words));
        }
        List<String> lines = new ArrayList<>();
        long[][] now = {Arrays.copyOfRange(table, places[0], places[0] + words)};
        for (long[] wanted : states) {
            int known = lines.size();
            protocol.visit(now[0], 0, (step, violated) -> {
                protocol.pack(reached);
                boolean isLast = known == states.size() - 1;
                if (lines.size() == known && Arrays.equals(reached, wanted) && (!isLast || violated == broken)) {
                    lines.add(protocol.describe(step));
                    now[0] = protocol.unrotated();
                }
            });
        }
        return lines;
    }

    /** What a search has found: how many states, and the shortest trace to a broken promise, if there is one. */
    record Result(int states, Promise broken, List<String> trace) {}
}
