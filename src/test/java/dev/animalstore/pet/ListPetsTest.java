package dev.animalstore.pet;

import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.matchesPattern;

import dev.animalstore.fixture.TestKey;
import dev.animalstore.page.ListTest;
import dev.animalstore.page.Listed;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ListPetsTest extends ListTest {
    ListPetsTest() {
        super(Listed.PETS);
    }

    @Test
    void list_pet_hasItsFourMembers() {
        String first = text(TestKey.unlimited().given().get("/v1/pets?limit=1&status=pending"));

        assertThat(
                first,
                matchesPattern(
                        "\\[\\{\"id\":[0-9]+,\"name\":\"[^\"]+\",\"categoryId\":-?[0-9]+,\"status\":\"pending\"}]"));
    }
}
