package dev.animalstore.metering.usage;

import dev.animalstore.web.error.ApiException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Map;
import java.util.function.Function;

/** UTC days from one to another, both inclusive. */
public record Days(LocalDate from, LocalDate to) {
    private static final int MAXIMUM = 400;
    private static final int LAST_YEAR = 9999;

    /**
     * At most {@value #MAXIMUM} days, of an operation's parameters, each of which may be {@code null}: those of a month, or by default so many up
     * to {@code to}, or to today.
     *
     * @throws ApiException {@code invalid_parameter} if a month is given with other days, or the days are inverted or too many
     */
    public static Days of(Day from, Day to, Month month, LocalDate today, int count) {
        if (month != null) {
            if (from != null || to != null) {
                throw ApiException.invalidParameter("month must be given without from and to.");
            }
            return new Days(month.month().atDay(1), month.month().atEndOfMonth());
        }
        LocalDate last = to == null ? today : to.date();
        LocalDate first = from == null ? last.minusDays(count - 1L) : from.date();
        Days days = ordered(first, last);
        if (days.count() > MAXIMUM) {
            throw ApiException.invalidParameter("from and to must span at most " + MAXIMUM + " days, both inclusive.");
        }
        return days;
    }

    /** As above, but any number of days: all days before or after the other parameter if one is {@code null}. */
    public static Days of(Day from, Day to) {
        return ordered(
                from == null ? LocalDate.EPOCH : from.date(), to == null ? LocalDate.of(LAST_YEAR, 12, 31) : to.date());
    }

    private static Days ordered(LocalDate first, LocalDate last) {
        if (first.isAfter(last)) {
            throw ApiException.invalidParameter("from must not be after to, which is " + last + ".");
        }
        return new Days(first, last);
    }

    /** Whatever the zone of the clock, since a service may have one of its own. */
    public static LocalDate today(Clock clock) {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    /** The parameters that ask for these days. */
    public Map<String, String> parameters() {
        return Map.of("from", from.toString(), "to", to.toString());
    }

    long count() {
        return ChronoUnit.DAYS.between(from, to) + 1;
    }

    private static <T extends TemporalAccessor> T parse(Function<String, T> parser, String text, String rule) {
        try {
            T parsed = parser.apply(text);
            int year = parsed.get(ChronoField.YEAR);
            if (year >= 1970 && year <= LAST_YEAR) {
                return parsed;
            }
        } catch (DateTimeException malformed) {
            // Reported below.
        }
        throw ApiException.invalidParameter(rule);
    }

    /** A day in a query, the parameter {@code from} or {@code to}. */
    public record Day(LocalDate date) {
        private static final String RULE = "from and to must be days from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.";

        /**
         * Parses the parameter; called by Jakarta REST.
         *
         * @throws ApiException {@code invalid_parameter} if it is not a day from 1970 to 9999
         */
        public static Day fromString(String text) {
            return new Day(parse(LocalDate::parse, text, RULE));
        }
    }

    /** A month in a query, the parameter {@code month}. */
    public record Month(YearMonth month) {
        private static final String RULE = "month must be from 1970-01 to 9999-12, as YYYY-MM.";

        /**
         * Parses the parameter; called by Jakarta REST.
         *
         * @throws ApiException {@code invalid_parameter} if it is not a month from 1970 to 9999
         */
        public static Month fromString(String text) {
            return new Month(parse(YearMonth::parse, text, RULE));
        }
    }
}
