package dev.animalstore.admin;

import dev.animalstore.error.ApiException;
import dev.animalstore.request.QueryParameters;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A range of UTC days, both ends inclusive: at most {@value #MAXIMUM_DAYS}, none before 1970. */
record DayRange(LocalDate from, LocalDate to) {
    private static final int MAXIMUM_DAYS = 400;
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    /**
     * Reads {@code from} and {@code to}.
     *
     * @param today the default of {@code to}
     * @param days the default length of the range, up to {@code to}
     * @throws ApiException {@code invalid_parameter} if one of them is not a day, or the range is inverted or too long
     */
    static DayRange read(QueryParameters query, LocalDate today, int days) {
        LocalDate to = find(query, "to").orElse(today);
        LocalDate from = find(query, "from").orElse(to.minusDays(days - 1L));
        if (from.isAfter(to)) {
            throw QueryParameters.invalid("from must not be after to, which is " + to + ".");
        }
        if (ChronoUnit.DAYS.between(from, to) >= MAXIMUM_DAYS) {
            throw QueryParameters.invalid("from and to must span at most " + MAXIMUM_DAYS + " days, both inclusive.");
        }
        return new DayRange(from, to);
    }

    /** The range as query parameters. */
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
