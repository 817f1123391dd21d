package dev.animalstore.web;

import jakarta.ws.rs.Priorities;

/**
 * The order in which filters see a request. None is {@link Priorities#USER} or later, which is that of a filter of others: Quarkus REST refuses to
 * build one that may block before one that does not.
 */
public final class FilterPriorities {
    /** Before routing, where the highest number runs first: the outermost, so that the whole duration of a request is measured, and before Quarkus's own (CORS has 300). */
    public static final int METRICS = 400;

    /** Before anything is read of a request, so that every response and line of the log has its identifier. */
    public static final int IDENTITY = METRICS - 1;

    /** Before every other response, so that errors have the headers of CORS too. */
    public static final int CORS = IDENTITY - 1;

    public static final int SCREENING = CORS - 1;

    public static final int PREFLIGHT = SCREENING - 1;

    /** Of the API, on a replica for operators only. */
    public static final int ABSENT = PREFLIGHT - 1;

    /** Before matching, where the lowest number runs first: no other filter sees an API request before. */
    public static final int GATE = Priorities.AUTHENTICATION;

    /** Operators, whose requests pass the gate. */
    public static final int OPERATORS = GATE + 1;

    /** Last before matching, so that only those who are admitted learn the methods of a path. */
    public static final int METHODS = OPERATORS + 1;

    /** After matching, where the lowest number runs first again: nothing of an operation runs without a verdict. */
    public static final int ADMITTED = Priorities.USER - 6;

    /** Before filters that may refuse or wait. */
    public static final int MATCHED = ADMITTED + 1;

    public static final int READERS = MATCHED + 1;

    /** Parameters, without waiting. */
    public static final int PARAMETERS = READERS + 1;

    public static final int BODY = PARAMETERS + 1;

    /** After the body has been received. */
    public static final int BULKHEAD = BODY + 1;

    /** Of responses, where the highest number runs first: as soon as the method of the operation has returned. */
    public static final int RETURNED = Integer.MAX_VALUE;

    /** After all others, right before the response is sent. */
    public static final int SENDING = 0;

    private FilterPriorities() {}
}
