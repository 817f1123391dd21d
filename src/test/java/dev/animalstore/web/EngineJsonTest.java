package dev.animalstore.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.animalstore.fixture.Independent;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

@Independent
class EngineJsonTest {
    record Own(
            Instant expiresAt,
            LocalDate firstDay,
            String ownerName,
            @JsonInclude(JsonInclude.Include.NON_NULL) String banReason) {}

    /** Of an adopter: snake case, numbers as dates, no nulls. */
    private final ObjectMapper json = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .enable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    EngineJsonTest() {
        new EngineJson().customize(json);
    }

    @Test
    void ownRecord_hasItsMembersWhateverTheSettings() throws Exception {
        Own own = new Own(Instant.EPOCH, LocalDate.EPOCH, null, null);
        String members = "{\"expiresAt\":\"1970-01-01T00:00:00Z\",\"firstDay\":\"1970-01-01\",\"ownerName\":null}";

        assertEquals(members, json.writeValueAsString(own));
        assertEquals(own, json.readValue(members, Own.class));
    }

    @Test
    void classOfOthers_hasThoseOfTheSettings() {
        StackTraceElement others = new StackTraceElement("Pet", "page", null, 1);

        JsonNode members = json.valueToTree(others);
        assertEquals("page", members.get("method_name").asText());
        assertFalse(members.has("file_name"));
    }
}
