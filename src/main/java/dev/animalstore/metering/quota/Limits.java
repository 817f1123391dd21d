package dev.animalstore.metering.quota;

/** The limits of a subject, in requests, each at least 1. */
public record Limits(int perMinute, int perDay) {
    /** The share of each limit that one of several replicas may admit locally: rounded down, at least 1. */
    Limits share(int replicas) {
        return new Limits(Math.max(1, perMinute / replicas), Math.max(1, perDay / replicas));
    }
}
