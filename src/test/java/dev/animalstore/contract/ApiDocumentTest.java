package dev.animalstore.contract;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of types are checked. OpenAPI 3.0 has none, so a tool that reads 3.1 as 3.0 would accept every value. */
class ApiDocumentTest {
    private static final ApiDocument DOCUMENT = ApiDocument.parse("{\"components\":{}}");
    private static final JsonNode INTEGER_OR_NULL = JsonNodeFactory.instance
            .objectNode()
            .set("type", JsonNodeFactory.instance.arrayNode().add("integer").add("null"));

    @ParameterizedTest
    @ValueSource(strings = {"7", "-7", "null"})
    void value_ofAListedType_hasNoFault(String value) {
        assertThat(DOCUMENT.faults("header", INTEGER_OR_NULL, value), empty());
    }

    @Test
    void value_ofATypeThatIsNotListed_isFound() {
        assertThat(
                DOCUMENT.faults("header", INTEGER_OR_NULL, "many"),
                contains("header string found, [integer, null] expected"));
    }
}
