package dev.animalstore.operator.api;

import dev.animalstore.web.error.ApiException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/** A range of UTC days, both ends inclusive: at most {@value #MAXIMUM_DAYS} of them. */
record DayRange(LocalDate from, LocalDate to) {
    private static final int MAXIMUM_DAYS = 400;

    /**
     * The range of an operation's parameters, each of which may be {@code null}: by default so many days up to {@code to}, or to today.
     *
     * @throws ApiException {@code invalid_parameter} if the range is inverted or too long
     */
    static DayRange of(Day from, Day to, LocalDate today, int days) {
        LocalDate last = to == null ? today : to.date();
        LocalDate first = from == null ? last.minusDays(days - 1L) : from.date();
        if (first.isAfter(last)) {
            throw ApiException.invalidParameter("from must not be after to, which is " + last + ".");
        }
        if (ChronoUnit.DAYS.between(first, last) >= MAXIMUM_DAYS) {
            throw ApiException.invalidParameter(
                    "from and to must span at most " + MAXIMUM_DAYS + " days, both inclusive.");
        }
        return new DayRange(first, last);
    }

    /** A day in a query, the parameter {@code from} or {@code to}. */
    public record Day(LocalDate date) {
        /**
         * Parses the parameter; called by Jakarta REST.
         *
         * @throws ApiException {@code invalid_parameter} if it is not a day from 1970 to 9999
         */
        public static Day fromString(String text) {
            try {
                LocalDate day = LocalDate.parse(text);
                if (day.getYear() >= 1970 && day.getYear() <= 9999) {
                    return new Day(day);
                }
            } catch (DateTimeParseException noDay) {
                // Reported below.
            }
            throw ApiException.invalidParameter(
                    "from and to must be days from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.");
        }
    }
}
