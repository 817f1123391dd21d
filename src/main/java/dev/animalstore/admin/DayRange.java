package dev.animalstore.admin;

import dev.animalstore.error.ApiException;
import dev.animalstore.request.QueryParameters;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** UTC days from one to another, both inclusive: at most {@value #MAXIMUM_DAYS}, none before 1970. */
record DayRange(LocalDate from, LocalDate to) {
    private static final int MAXIMUM_DAYS = 400;
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    /**
     * Reads {@code from} and {@code to}.
     *
     * @param today the day that {@code to} is if it is absent
     * @param days how many days up to {@code to} there are if {@code from} is absent
     * @throws ApiException {@code invalid_parameter} if one of them is no day, or if both are inverted or too far apart
     */
    static DayRange read(QueryParameters query, LocalDate today, int days) {
        LocalDate to = find(query, "to").orElse(today);
        LocalDate from = find(query, "from").orElse(to.minusDays(days - 1L));
        if (from.isAfter(to)) {
            throw QueryParameters.invalid("from must not be after to, which is " + to + ".");
        }
        if (ChronoUnit.DAYS.between(from, to) >= MAXIMUM_DAYS) {
            throw QueryParameters.invalid("from and to must span at most " + MAXIMUM_DAYS + " days, both included.");
        }
        return new DayRange(from, to);
    }

    /** Both as parameters of a query. */
    Map<String, String> parameters() {
        return Map.of("from", from.toString(), "to", to.toString());
    }

    private static Optional<LocalDate> find(QueryParameters query, String name) {
        return query.find(name)
                .map(text -> parse(text)
                        .orElseThrow(() -> QueryParameters.invalid(
                                name + " must be a day from 1970-01-01 to 9999-12-31, as YYYY-MM-DD.")));
    }

    private static Optional<LocalDate> parse(String text) {
        if (!DAY.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.parse(text)).filter(day -> !day.isBefore(LocalDate.EPOCH));
        } catch (DateTimeParseException noDay) {
            return Optional.empty();
        }
    }
}
