package dev.animalstore.error;

import static dev.animalstore.fixture.Responses.error;
import static org.hamcrest.Matchers.containsString;

import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses to bodies that are not strict JSON (RFC 8259) in UTF-8. */
@QuarkusTest
class MalformedJsonTest {
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":3}";

    private static TestKey key;

    @BeforeAll
    static void issueKey() {
        key = TestKey.unlimited();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name=Rex",
                "{",
                "}",
                "{\"name\": \"Rex\", \"categoryId\": 3",
                "{'name': 'Rex', 'categoryId': 3}",
                "{name: \"Rex\", categoryId: 3}",
                "{\"name\": \"Rex\", \"categoryId\": 03}",
                "{\"name\": \"Rex\", \"categoryId\": +3}",
                "{\"name\": \"Rex\", \"categoryId\": NaN}",
                "{\"name\": \"Rex\", \"categoryId\": 3,}",
                "{\"name\": \"Re\nx\", \"categoryId\": 3}",
                "{\"name\": \"\\x\", \"categoryId\": 3}",
                "{\"name\": \"Rex\", \"categoryId\": 3} // comment",
                "{\"name\": \"Rex\", \"name\": \"Rex\", \"categoryId\": 3}",
                "{\"name\": \"Rex\", \"categoryId\": 3, \"other\": {\"a\": 1, \"a\": 1}}",
                "{\"name\": \"Rex\", \"n\\u0061me\": \"Max\", \"categoryId\": 3}",
                "{\"name\": \"Rex\", \"categoryId\": 3} {}",
                "{\"name\": \"Rex\", \"categoryId\": 3} x",
                "{\"name\": \"Rex\", \"categoryId\": 3}]"
            })
    void body_thatIsNotStrictJson_isMalformed(String body) {
        key.given()
                .contentType("application/json")
                .body(body)
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"))
                .body("message", containsString("(line "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void body_nestedAbsurdlyDeep_isMalformed(String opening) {
        key.given()
                .contentType("application/json")
                .body("{\"name\":\"Rex\",\"categoryId\":3,\"other\":" + opening.repeat(2_000))
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"))
                .body("message", containsString("nested too deeply"));
    }

    /** Bytes that never occur in UTF-8, an incomplete sequence, and an overlong one. */
    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "\u00fe", "\u0080", "\u00c3", "\u00c0\u0080", "\u00f8\u0088\u0080\u0080\u0080"})
    void body_thatIsNotUtf8_isMalformed(String bytes) {
        key.given()
                .contentType("application/json")
                .body(("{\"name\":\"R" + bytes + "x\",\"categoryId\":3}").getBytes(StandardCharsets.ISO_8859_1))
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
    void body_ofAnotherEncoding_isMalformed(String encoding) {
        key.given()
                .contentType("application/json")
                .body(PET.getBytes(Charset.forName(encoding)))
                .post("/v1/pets")
                .then()
                .spec(error(400, "malformed_json"));
    }
}
