package dev.animalstore.page;

import dev.animalstore.error.ApiException;
import java.util.regex.Pattern;

/** The maximum number of rows on a page, from {@value #MINIMUM} to {@value #MAXIMUM}. */
public record Limit(int rows) {
    /** The limit of a request that has none. */
    public static final String DEFAULT = "20";

    /** The smallest limit. */
    public static final int MINIMUM = 1;

    /** The largest limit. */
    public static final int MAXIMUM = 100;

    /** Without a sign, and without digits of other scripts, which Java would also accept. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,10}");

    /**
     * Parses the parameter; called by Jakarta REST.
     *
     * @throws ApiException {@code invalid_parameter} if it is not a whole number within the bounds
     */
    public static Limit fromString(String text) {
        long rows = DIGITS.matcher(text).matches() ? Long.parseLong(text) : 0;
        if (rows < MINIMUM || rows > MAXIMUM) {
            throw ApiException.invalidParameter(
                    "limit must be a whole number from " + MINIMUM + " to " + MAXIMUM + ".");
        }
        return new Limit((int) rows);
    }
}
