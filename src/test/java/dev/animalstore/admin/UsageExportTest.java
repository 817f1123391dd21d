package dev.animalstore.admin;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts in a CSV file. */
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
            acme;=1+1       | "acme;'=1+1"
            acme; "-2       | "acme;' ""-2"
            acme;co         | "acme;co"
            O'Neill         | O'Neill
            'O              | ''O
            ` =1`      | `' =1`
            ﻿=1        | '﻿=1
            """)
    void text_thatSpreadsheetsWouldRun_isText(String owner, String cell) {
        assertThat(UsageExport.text(owner), equalTo(cell));
    }

    @Test
    void text_withControlCharacters_isOneHarmlessCell() {
        assertThat(UsageExport.text("\tx"), equalTo("'\tx"));
        assertThat(UsageExport.text("\rx"), equalTo("\"'\rx\""));
        assertThat(UsageExport.text("a\nb"), equalTo("\"a\nb\""));
        assertThat(UsageExport.text("a\n=b"), equalTo("\"a\n'=b\""));
        assertThat(UsageExport.text("a\t=b"), equalTo("a\t'=b"));
        assertThat(UsageExport.text(""), equalTo(""));
    }
}
