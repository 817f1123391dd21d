package dev.animalstore.metering.quota;

/**
 * Whom requests are charged to, by what the caller knows of it.
 *
 * @param version the version that the caller has read
 * @param endsMillis from when on nothing is charged to it, in milliseconds since 1970 by Redis's clock; 0 if it has ended, whatever clocks say;
 *     {@link #NEVER}
 */
public record Subject(SubjectId id, long version, Quota limits, long endsMillis) {
    /** The end of a subject that has none. */
    public static final long NEVER = Long.MAX_VALUE;
}
