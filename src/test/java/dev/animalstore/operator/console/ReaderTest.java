package dev.animalstore.operator.console;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console for an operator who may change nothing. */
@QuarkusTest
class ReaderTest {
    private Visitor reader;

    @BeforeEach
    void signIn() {
        reader = Visitor.signIn(Operator.READER_TOKEN);
    }

    @Test
    void pages_ofAReader_haveNoFormThatIsSentButThatOfTheSignOut() {
        TestKey banned = TestKey.of(1, 100);
        Awaitility.await().until(() -> banned.given().get("/v1/samples").path("code"), "key_banned"::equals);
        for (String page : List.of("", "/keys", "/keys?owner=nobody", "/keys/" + banned.id())) {
            String shown =
                    reader.get("/console" + page).statusCode(200).extract().asString();
            assertEquals(
                    List.of("<form class=\"out\" method=\"post\" action=\"/console/sign-out\">"),
                    shown.lines()
                            .filter(line -> line.contains("method=\"post\""))
                            .toList());
            assertEquals(
                    List.of(),
                    shown.lines()
                            .filter(
                                    line -> line.matches(
                                            ".*href=\"/console/(issue|keys/[0-9]+/(change|rotation|suspension|revocation))\".*"))
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"issue", "keys/ID/change", "keys/ID/rotation", "keys/ID/suspension", "keys/ID/revocation"})
    void pageOfAForm_ofAReader_is403(String page) {
        String path = "/console/"
                + page.replace("ID", Long.toString(TestKey.of("free").id()));
        reader.get(path)
                .statusCode(403)
                .contentType("text/html;charset=UTF-8")
                .body(allOf(containsString("This operator may only read."), not(containsString("name=\"version\""))));
    }

    /** With the fields that another operator's page has. */
    @ParameterizedTest
    @CsvSource({
        "issue,issue",
        "keys/lookup,''",
        "keys/ID/change,keys/ID/change",
        "keys/ID/rotation,keys/ID/rotation",
        "keys/ID/suspension,keys/ID/suspension",
        "keys/ID/suspension/lift,keys/ID/suspension",
        "keys/ID/revocation,keys/ID/revocation",
        "keys/ID/ban/lift,keys/ID/suspension"
    })
    void form_thatAReaderForges_is403AndChangesNothing(String address, String page) {
        TestKey key = TestKey.of("free");
        String id = Long.toString(key.id());
        Object before = Operator.stored(key);
        long keys = TestDatabase.number("select count(*) from api_key");
        String from = "/console/" + page.replace("ID", id);
        Map<String, String> hidden =
                page.isEmpty() ? Map.of() : Visitor.signIn().hiddenFields(from, from);
        Map<String, String> typed = Map.of("owner", "forged", "plan", "free", "graceSeconds", "0", "key", key.text());
        reader.send("/console/" + address.replace("ID", id), hidden, typed)
                .statusCode(403)
                .body(containsString("This operator may only read."));
        assertEquals(before, Operator.stored(key));
        assertEquals(keys, TestDatabase.number("select count(*) from api_key"));
    }

    @Test
    void signOut_ofAReader_isServed() {
        reader.send("/console/sign-out", Map.of(), Map.of())
                .statusCode(303)
                .header("Location", equalTo("/console/sign-in"));
    }
}
