package dev.animalstore.console;

import dev.animalstore.usage.DayUsage;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The usage of a key by day, as columns of an SVG. All lengths are in units of its {@code viewBox}, which is 100 high.
 *
 * @param columns one column per day, in ascending order
 * @param usages one usage per day, including days without requests
 * @param top the number of requests that a full-height column stands for
 */
record UsageChart(List<Column> columns, List<DayUsage> usages, long top) {
    /** How many days are shown, including today. */
    static final int DAYS = 30;

    /** The distance between the left edges of two columns. */
    private static final int STEP = 10;

    private static final double HEIGHT = 100;

    /** The values of a full-height column, times a power of ten. */
    private static final List<Integer> STEPS = List.of(1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60, 80);

    private static final int LARGEST_STEP = 100;

    /** A stacked column of a day: the top and the height of each part. */
    record Column(
            int x, String bannedY, String banned, String refusedY, String refused, String admittedY, String admitted) {}

    /** The chart of the days up to {@code today}. */
    static UsageChart of(List<DayUsage> used, LocalDate today) {
        Map<LocalDate, DayUsage> byDay = used.stream().collect(Collectors.toMap(DayUsage::day, Function.identity()));
        List<DayUsage> usages = today.minusDays(DAYS - 1L)
                .datesUntil(today.plusDays(1))
                .map(day -> byDay.getOrDefault(day, new DayUsage(day, 0, 0, 0)))
                .toList();
        long top = rounded(usages.stream().mapToLong(UsageChart::total).max().orElse(0));
        List<Column> columns = new ArrayList<>();
        for (DayUsage usage : usages) {
            columns.add(column(columns.size() * STEP, usage, top));
        }
        return new UsageChart(columns, usages, top);
    }

    /** Whether there was any request. */
    public boolean used() {
        return usages.stream().anyMatch(usage -> total(usage) > 0);
    }

    /** The days with a request, the last one first. */
    public List<DayUsage> usedDays() {
        List<DayUsage> days = new ArrayList<>(
                usages.stream().filter(usage -> total(usage) > 0).toList());
        Collections.reverse(days);
        return days;
    }

    /** The first day. */
    public LocalDate first() {
        return usages.get(0).day();
    }

    /** The last day. */
    public LocalDate last() {
        return usages.get(usages.size() - 1).day();
    }

    /** The admitted requests of all days. */
    public long admitted() {
        return sum(DayUsage::admitted);
    }

    /** The refused requests of all days. */
    public long refused() {
        return sum(DayUsage::refused);
    }

    /** The requests of all days that were refused by a ban. */
    public long banned() {
        return sum(DayUsage::banned);
    }

    /** The total width. */
    public int width() {
        return columns.size() * STEP;
    }

    private long sum(ToLongFunction<DayUsage> part) {
        return usages.stream().mapToLong(part).sum();
    }

    private static Column column(int x, DayUsage usage, long top) {
        double admitted = HEIGHT * usage.admitted() / top;
        double refused = HEIGHT * usage.refused() / top;
        double banned = HEIGHT * usage.banned() / top;
        return new Column(
                x,
                length(HEIGHT - admitted - refused - banned),
                length(banned),
                length(HEIGHT - admitted - refused),
                length(refused),
                length(HEIGHT - admitted),
                length(admitted));
    }

    private static String length(double units) {
        return String.format(Locale.ROOT, "%.2f", Math.max(0, units));
    }

    private static long total(DayUsage usage) {
        return usage.admitted() + usage.refused() + usage.banned();
    }

    /** Rounds up to a number of at least 1 that is easy to read: one or two digits and zeros. */
    private static long rounded(long most) {
        long unit = 1;
        while (most > LARGEST_STEP * unit) {
            unit *= STEP;
        }
        for (int step : STEPS) {
            if (most <= step * unit) {
                return step * unit;
            }
        }
        return LARGEST_STEP * unit;
    }
}
