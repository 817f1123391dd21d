package dev.animalstore.store;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.fixture.Independent;
import dev.animalstore.web.page.PageRequest;
import dev.animalstore.web.page.PageRequest.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The operations of the interface's specification, their enumerations and examples in the OpenAPI document. */
@Independent
class StoreDocumentTest {
    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void operations_areThoseOfTheInterface() throws IOException {
        JsonNode paths = read("/paths");

        assertThat(
                Set.copyOf(paths.findValuesAsText("operationId")),
                equalTo(Set.of("listPets", "createPet", "getPet", "listOrders")));
        assertThat(paths.findParents("deprecated"), equalTo(List.of(paths.at("/~1pets~1{petId}/get"))));
        assertThat(paths.at("/~1store~1orders/get/x-explorer-enabled"), equalTo(BooleanNode.FALSE));
    }

    @ParameterizedTest
    @CsvSource({"PetStatus, dev.animalstore.store.pet.PetStatus", "OrderStatus, dev.animalstore.store.order.OrderStatus"
    })
    void enumeration_hasTheConstantsOfTheCode(String schema, Class<? extends Enum<?>> type) throws IOException {
        JsonNode published = read("/components/schemas/" + schema + "/enum");

        assertThat(published, equalTo(YAML.valueToTree(type.getEnumConstants())));
    }

    @ParameterizedTest
    @CsvSource({"/v1/pets, Pet", "/v1/store/orders, Order"})
    void exampleOfACursor_belongsToTheExampleOfTheFilter(String path, String item) throws IOException {
        JsonNode parameters = read("/components/parameters");
        String cursor = parameters.at("/" + item + "Cursor/example").textValue();
        String status = parameters.at("/" + item + "StatusFilter/example").textValue();

        Limit limit = Limit.fromString(Limit.DEFAULT);
        assertThat(PageRequest.of(path, limit, cursor, Map.of("status", status)).after(), equalTo(0L));
    }

    private static JsonNode read(String pointer) throws IOException {
        return YAML.readTree(Files.readString(Path.of("src/main/resources/META-INF/openapi.yaml")))
                .at(pointer);
    }
}
