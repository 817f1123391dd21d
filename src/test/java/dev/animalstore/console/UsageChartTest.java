package dev.animalstore.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.console.UsageChart.Column;
import dev.animalstore.usage.DayUsage;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart of a key's usage. */
class UsageChartTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 3, 1);

    @Test
    void chart_ofAFewDays_hasAColumnForEachOfThirty() {
        UsageChart chart =
                UsageChart.of(List.of(new DayUsage(TODAY.minusDays(2), 5, 3, 2), new DayUsage(TODAY, 10, 0, 0)), TODAY);
        assertEquals(30, chart.columns().size());
        assertEquals(LocalDate.of(2026, 1, 31), chart.first());
        assertEquals(TODAY, chart.last());
        assertEquals(
                new Column(270, "0.00", "20.00", "20.00", "30.00", "50.00", "50.00"),
                chart.columns().get(27));
        assertEquals(
                new Column(290, "0.00", "0.00", "0.00", "0.00", "0.00", "100.00"),
                chart.columns().get(29));
        assertEquals(List.of(15L, 3L, 2L), List.of(chart.admitted(), chart.refused(), chart.banned()));
        assertEquals(TODAY, chart.usedDays().get(0).day());
        assertTrue(chart.used());
    }

    @Test
    void chart_withoutARequest_saysSo() {
        assertFalse(UsageChart.of(List.of(), TODAY).used());
    }

    @ParameterizedTest
    @CsvSource({
        "1,1",
        "3,4",
        "10,10",
        "11,12",
        "99,100",
        "101,120",
        "12000,12000",
        "12001,14000",
        "9223372036854775,10000000000000000"
    })
    void top_isNotMuchMoreThanTheLargestDay(long most, long top) {
        assertEquals(
                top,
                UsageChart.of(List.of(new DayUsage(TODAY, most, 0, 0)), TODAY).top());
    }
}
