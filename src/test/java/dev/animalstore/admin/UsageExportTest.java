package dev.animalstore.admin;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Usage as a CSV file. No other test uses days of 2998. */
@QuarkusTest
class UsageExportTest {
    private static final String YEAR = "?from=2998-01-01&to=2998-12-31";
    private static final String HEADER = "key,owner,plan,day,admitted,refused,banned\r\n";

    @AfterEach
    void removeUsage() {
        TestDatabase.execute("delete from usage_day where day between '2998-01-01' and '2998-12-31'");
    }

    @Test
    void csv_ofSeveralParts_isWhole() {
        List<Long> ids = TestDatabase.query(
                "insert into api_key (owner, plan) select 'csv', 'free' from generate_series(1, 2500) returning id");
        TestDatabase.execute("insert into usage_day (key_id, day, admitted, refused, banned)"
                + " select id, '2998-05-05', id, 1, 2 from api_key where owner = 'csv'");
        try {
            StringBuilder expected = new StringBuilder(HEADER);
            ids.forEach(id -> expected.append(id)
                    .append(",csv,free,2998-05-05,")
                    .append(id)
                    .append(",1,2\r\n"));
            for (String days : List.of("?from=2998-05-05&to=2998-05-05", YEAR)) {
                assertThat(csv(days).asString(), equalTo(expected.toString()));
            }
        } finally {
            TestDatabase.execute(
                    "delete from usage_day where day = '2998-05-05'; delete from api_key where owner = 'csv'");
        }
    }

    @Test
    void csv_always_isAFileOfItsOwnName() {
        TestKey key = add("Acme");

        Response file = csv(YEAR + "&limit=nonsense");

        file.then()
                .statusCode(200)
                .header("Content-Type", "text/csv;charset=UTF-8;header=present")
                .header("Content-Disposition", "attachment; filename=\"usage-2998-01-01-2998-12-31.csv\"")
                .header("Cache-Control", "no-store")
                .header("Link", nullValue());
        assertThat(file.asString(), equalTo(HEADER + key.id() + ",Acme,free,2998-03-01,1,0,0\r\n"));
    }

    @Test
    void csv_withoutRows_isTheHeaderLine() {
        assertThat(csv(YEAR).asString(), equalTo(HEADER));
    }

    @Test
    void csv_head_returnsTheHeadersOnly() {
        Operator.given()
                .accept("text/csv")
                .head("/admin/usage" + YEAR)
                .then()
                .statusCode(200)
                .header("Content-Type", "text/csv;charset=UTF-8;header=present")
                .body(equalTo(""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            =1+1            | '=1+1
            +49             | '+49
            -2              | '-2
            @SUM(A1)        | '@SUM(A1)
            =HYPERLINK("a") | "'=HYPERLINK(""a"")"
            Söhne, "Co"     | "Söhne, ""Co""\"
            a=b             | a=b
            O'Neill         | O'Neill
            'O              | ''O
            ` =1`      | `' =1`
            ﻿=1        | '﻿=1
            """)
    void csv_ofAnOwnerThatSpreadsheetsWouldRun_isText(String owner, String cell) {
        add(owner.replace("\"", "\\\""));

        String line = csv(YEAR).asString().split("\r\n", -1)[1];

        assertThat(line, endsWith("," + cell + ",free,2998-03-01,1,0,0"));
    }

    @Test
    void csv_ofATextWithControlCharacters_isOneHarmlessCell() {
        assertThat(Csv.text("\tx"), equalTo("'\tx"));
        assertThat(Csv.text("\rx"), equalTo("\"'\rx\""));
        assertThat(Csv.text("a\nb"), equalTo("\"a\nb\""));
        assertThat(Csv.text(""), equalTo(""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            */*                                    | application/json
            application/*                          | application/json
            text/*                                 | text/csv
            text/csv;q=0.9, application/json;q=0.1 | text/csv
            text/csv;q=0.1, application/json;q=0.9 | application/json
            text/csv, */*;q=0.1                    | text/csv
            text/html, text/csv;q=0.2              | text/csv
            """)
    void usage_ofAnAccept_isOfTheTypeThatItPrefers(String accept, String type) {
        Operator.given()
                .header("Accept", accept)
                .get("/admin/usage" + YEAR)
                .then()
                .statusCode(200)
                .header("Content-Type", startsWith(type));
    }

    @Test
    void usage_withASlashAtItsEnd_isOfTheTypeThatIsPreferred() {
        Operator.given().get("/admin/usage/" + YEAR).then().statusCode(200).contentType("application/json");
        Operator.given()
                .accept("text/csv")
                .get("/admin/usage/" + YEAR)
                .then()
                .statusCode(200)
                .contentType("text/csv");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "text/csv;q=0", "image/*"})
    void usage_ofAnAcceptWithoutBoth_isNotAcceptable(String accept) {
        Operator.refused(
                Operator.given().header("Accept", accept).get("/admin/usage").then(),
                406,
                "not_acceptable",
                equalTo("Responses are application/json or text/csv; the Accept header excludes both."));
    }

    private static TestKey add(String owner) {
        TestKey key = Operator.issue("{\"owner\":\"" + owner + "\",\"plan\":\"free\"}");
        TestDatabase.execute("insert into usage_day (key_id, day, admitted, refused, banned) values (" + key.id()
                + ", '2998-03-01', 1, 0, 0)");
        return key;
    }

    private static Response csv(String query) {
        return Operator.given().urlEncodingEnabled(false).accept("text/csv").get("/admin/usage" + query);
    }
}
