package dev.animalstore.operator.console;

import dev.animalstore.metering.usage.UsageReports.DayUsage;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Usage by day, as a column per day.
 *
 * @param days each day, with requests or without, in ascending order
 * @param total the requests of all days; its day is the last one
 * @param limit the limit per day of the key whose usage it is; 0 for that of all keys
 * @param top the number of requests that a full-height column stands for
 */
record UsageChart(List<DayUsage> days, DayUsage total, long limit, long top) {
    /** How many days are shown, including today. */
    static final int DAYS = 30;

    /** The values of a full-height column, times a power of ten. */
    private static final List<Integer> STEPS = List.of(1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60, 80, 100);

    /** The chart shows a limit that is at most so many times the largest day, which would otherwise be hard to see. */
    private static final int HEADROOM = 3;

    /** The chart of the days up to {@code today}, of which {@code used} are those with a request, and of a key's limit per day, if it is not 0. */
    static UsageChart of(List<DayUsage> used, LocalDate today, long limit) {
        Map<LocalDate, DayUsage> byDay = used.stream().collect(Collectors.toMap(DayUsage::day, Function.identity()));
        List<DayUsage> days = IntStream.rangeClosed(1 - DAYS, 0)
                .mapToObj(today::plusDays)
                .map(day -> byDay.getOrDefault(day, new DayUsage(day, 0, 0, 0)))
                .toList();
        DayUsage total = days.stream()
                .reduce(
                        new DayUsage(today, 0, 0, 0),
                        (sum, day) -> new DayUsage(
                                today,
                                sum.admitted() + day.admitted(),
                                sum.refused() + day.refused(),
                                sum.banned() + day.banned()));
        long most = days.stream().mapToLong(UsageChart::requests).max().orElse(0);
        return new UsageChart(days, total, limit, rounded(limit / HEADROOM <= most ? Math.max(most, limit) : most));
    }

    public boolean isEmpty() {
        return requests(total) == 0;
    }

    private static long requests(DayUsage usage) {
        return usage.admitted() + usage.refused() + usage.banned();
    }

    /** Rounds up to a number of at least 1 that is easy to read: one or two digits and zeros. */
    private static long rounded(long most) {
        for (long unit = 1; ; unit *= 10) {
            for (int step : STEPS) {
                if (most <= step * unit) {
                    return step * unit;
                }
            }
        }
    }
}
