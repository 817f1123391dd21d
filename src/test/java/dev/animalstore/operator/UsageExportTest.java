package dev.animalstore.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts in a CSV file, and the size of its parts. */
class UsageExportTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            =1+1            | '=1+1
            ＝1+1           | '＝1+1
            ＋1             | '＋1
            －1             | '－1
            ＠SUM(1)        | '＠SUM(1)
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
}
