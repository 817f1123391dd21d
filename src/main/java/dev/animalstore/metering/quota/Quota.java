package dev.animalstore.metering.quota;

/** The limits of a subject, in requests, each at least 1. */
public record Quota(int perMinute, int perDay) {
    /** The share of each limit that one of several replicas may admit locally: rounded down, at least 1. */
    Quota share(int replicas) {
        return new Quota(Math.max(1, perMinute / replicas), Math.max(1, perDay / replicas));
    }
}
