package dev.animalstore.quota;

/**
 * How many requests a subject may send.
 *
 * @param perMinute at least 1
 * @param perDay at least 1
 */
public record Limits(int perMinute, int perDay) {
    public Limits {
        if (perMinute < 1 || perDay < 1) {
            throw new IllegalArgumentException("Limits are at least 1.");
        }
    }

    /** The part of each limit that one of several replicas may admit by itself: rounded down, at least 1. */
    Limits share(int replicas) {
        return new Limits(Math.max(1, perMinute / replicas), Math.max(1, perDay / replicas));
    }
}
