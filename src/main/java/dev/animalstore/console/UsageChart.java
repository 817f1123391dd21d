package dev.animalstore.console;

import dev.animalstore.usage.UsageReports.DayUsage;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The usage of a key by day, as columns of an SVG. All lengths are in units of its {@code viewBox}, which is 100 high.
 *
 * @param columns one column per day, in ascending order
 * @param usedDays the days with a request, the last one first
 * @param total the requests of all days; its day is the last one
 * @param top the number of requests that a full-height column stands for
 */
record UsageChart(List<Column> columns, List<DayUsage> usedDays, DayUsage total, long top) {
    /** How many days are shown, including today. */
    static final int DAYS = 30;

    /** The distance between the left edges of two columns. */
    private static final int STEP = 10;

    private static final double HEIGHT = 100;

    /** The values of a full-height column, times a power of ten. */
    private static final List<Integer> STEPS = List.of(1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60, 80, 100);

    /** A stacked column of a day: the top and the height of each part. */
    record Column(
            int x, String bannedY, String banned, String refusedY, String refused, String admittedY, String admitted) {}

    /** The chart of the days up to {@code today}, of which {@code used} are those with a request, in ascending order. */
    static UsageChart of(List<DayUsage> used, LocalDate today) {
        DayUsage total = new DayUsage(today, 0, 0, 0);
        Column[] columns = new Column[DAYS];
        for (int i = 0; i < DAYS; i++) {
            columns[i] = column(i * STEP, total, 1);
        }
        long top = rounded(used.stream().mapToLong(UsageChart::sum).max().orElse(0));
        for (DayUsage day : used) {
            int index = DAYS - 1 - (int) (today.toEpochDay() - day.day().toEpochDay());
            columns[index] = column(index * STEP, day, top);
            total = new DayUsage(
                    today,
                    total.admitted() + day.admitted(),
                    total.refused() + day.refused(),
                    total.banned() + day.banned());
        }
        List<DayUsage> usedDays = new ArrayList<>(used);
        Collections.reverse(usedDays);
        return new UsageChart(List.of(columns), usedDays, total, top);
    }

    /** The first day. */
    public LocalDate first() {
        return total.day().minusDays(DAYS - 1L);
    }

    /** The total width. */
    public int width() {
        return DAYS * STEP;
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

    private static long sum(DayUsage usage) {
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
