package dev.animalstore.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts in a CSV file, and the size of its parts. */
class UsageExportTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            =1+1            | '=1+1
            +49             | '+49
            -2              | '-2
            @SUM(A1)        | '@SUM(A1)
            =HYPERLINK("a") | "'=HYPERLINK(""a"")"
            Söhne, "Co"     | "Söhne, ""Co""\"
            a=b             | a=b
            acme;=1+1       | "acme;=1+1"
            acme;co         | "acme;co"
            O'Neill         | O'Neill
            'O              | 'O
            """)
    void text_thatSpreadsheetsWouldRun_isText(String owner, String cell) {
        assertEquals(cell, UsageExport.text(owner));
    }

    @Test
    void text_withControlCharacters_isOneHarmlessCell() {
        assertEquals("'\tx", UsageExport.text("\tx"));
        assertEquals("\"'\rx\"", UsageExport.text("\rx"));
        assertEquals("\"a\nb\"", UsageExport.text("a\nb"));
        assertEquals("", UsageExport.text(""));
    }

    /** A part of 1,000 rows of 400 days would read 400,000 keys, for longer than a statement may take. */
    @ParameterizedTest
    @CsvSource({"1, 1000", "40, 1000", "41, 975", "400, 100"})
    void partsOfManyDays_haveFewerRows(int days, int rows) {
        LocalDate last = LocalDate.of(2026, 12, 31);

        assertEquals(rows, UsageExport.maximumRows(new Days(last.minusDays(days - 1), last)));
    }
}
