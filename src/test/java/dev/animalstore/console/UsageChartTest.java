package dev.animalstore.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.console.UsageChart.Column;
import dev.animalstore.usage.UsageReports.DayUsage;
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
        DayUsage earlier = new DayUsage(TODAY.minusDays(2), 5, 3, 2);
        DayUsage latest = new DayUsage(TODAY, 10, 0, 0);
        UsageChart chart = UsageChart.of(List.of(earlier, latest), TODAY);
        assertEquals(LocalDate.of(2026, 1, 31), chart.first());
        assertEquals(new DayUsage(TODAY, 15, 3, 2), chart.total());
        assertEquals(List.of(latest, earlier), chart.usedDays());
        assertEquals(30, chart.columns().size());
        Column unused = new Column(280, "100.00", "0.00", "100.00", "0.00", "100.00", "0.00");
        Column used = new Column(270, "0.00", "20.00", "20.00", "30.00", "50.00", "50.00");
        Column full = new Column(290, "0.00", "0.00", "0.00", "0.00", "0.00", "100.00");
        assertEquals(List.of(used, unused, full), chart.columns().subList(27, 30));
        assertEquals(List.of(), UsageChart.of(List.of(), TODAY).usedDays());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "3,4", "10,10", "11,12", "99,100", "101,120", "12001,14000", "9223372036854775,10000000000000000"
    })
    void top_isNotMuchMoreThanTheLargestDay(long most, long top) {
        assertEquals(
                top,
                UsageChart.of(List.of(new DayUsage(TODAY, most, 0, 0)), TODAY).top());
    }
}
