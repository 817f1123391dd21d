package dev.animalstore.operator.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    void chart_ofAFewDays_hasEachOfThirty() {
        DayUsage earlier = new DayUsage(TODAY.minusDays(2), 5, 3, 2);
        DayUsage latest = new DayUsage(TODAY, 10, 0, 0);
        UsageChart chart = UsageChart.of(List.of(earlier, latest), TODAY, 1000);
        assertEquals(30, chart.days().size());
        assertEquals(LocalDate.of(2026, 1, 31), chart.days().get(0).day());
        DayUsage unused = new DayUsage(TODAY.minusDays(1), 0, 0, 0);
        assertEquals(List.of(earlier, unused, latest), chart.days().subList(27, 30));
        assertEquals(new DayUsage(TODAY, 15, 3, 2), chart.total());
        assertFalse(chart.isEmpty());
        assertTrue(UsageChart.of(List.of(), TODAY, 1000).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "1,1000,1", "3,1000,4", "10,1000,10", "11,1000,12",
        "99,1000,100", "101,1000,120", "12001,1000,14000", "9223372036854775,1000,10000000000000000",
        "333,1000,1000", "332,1000,400"
    })
    void top_isNotMuchMoreThanTheLargestDayOrThanALimitThatIsNear(long most, long limit, long top) {
        assertEquals(
                top,
                UsageChart.of(List.of(new DayUsage(TODAY, most, 0, 0)), TODAY, limit)
                        .top());
    }
}
