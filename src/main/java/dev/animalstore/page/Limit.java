package dev.animalstore.page;

import dev.animalstore.error.ApiException;

/** The maximum number of rows on a page, from {@value #MINIMUM} to {@value #MAXIMUM}. */
public record Limit(int rows) {
    /** The limit of a request that has none. */
    public static final String DEFAULT = "20";

    /** The smallest limit. */
    public static final int MINIMUM = 1;

    /** The largest limit. */
    public static final int MAXIMUM = 100;

    /**
     * Parses the parameter; called by Jakarta REST.
     *
     * @throws ApiException {@code invalid_parameter} if it is not a whole number within the bounds
     */
    public static Limit fromString(String text) {
        int rows = 0;
        for (int i = 0; i < text.length() && rows <= MAXIMUM; i++) {
            char digit = text.charAt(i);
            // Java would also accept a sign, and digits of other scripts.
            rows = digit >= '0' && digit <= '9' ? 10 * rows + digit - '0' : MAXIMUM + 1;
        }
        if (rows < MINIMUM || rows > MAXIMUM) {
            throw ApiException.invalidParameter(
                    "limit must be a whole number from " + MINIMUM + " to " + MAXIMUM + ".");
        }
        return new Limit(rows);
    }
}
