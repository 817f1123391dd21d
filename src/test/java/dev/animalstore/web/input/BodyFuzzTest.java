package dev.animalstore.web.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.Independent;
import dev.animalstore.store.pet.PetStatus;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import jakarta.validation.Validation;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hibernate.validator.constraints.Range;
import org.junit.jupiter.api.Test;

/** JSON and forms that were made from valid ones are read within the bounds of the contract, or refused as the client's error. */
@Independent
class BodyFuzzTest {
    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.MALFORMED_JSON, ErrorCode.VALIDATION_FAILED, ErrorCode.PAYLOAD_TOO_LARGE);
    private static final MultivaluedHashMap<String, String> HEADERS =
            new MultivaluedHashMap<>(Map.of("Content-Type", MediaType.APPLICATION_JSON));
    private static final BodyReader READER =
            new BodyReader(new Binding(Validation.buildDefaultValidatorFactory().getValidator()));

    @SuppressWarnings("unchecked")
    private static final Class<Object> TYPE = (Class<Object>) (Class<?>) Body.class;

    @Test
    void bodies_madeFromValidOnes_areReadOrRefused() {
        List<String> seeds = List.of(
                "{\"name\":\"Rex\",\"categoryId\":7.0e2,\"status\":\"sold\"}",
                "{\"name\":\"J\\u00fcrgen \\ud83d\\ude00\",\"categoryId\":-9223372036854775808}",
                bytes("{\"id\":1,\"name\":\"Müller 😀\",\"categoryId\":0,\"other\":[[{\"a\":null}],1.5e3]}"),
                "{\"name\":\"x\",\"categoryId\":1,\"limits\":{\"perMinute\":5},\"expiresAt\":\"2030-12-05T00:00:00Z\"}",
                "{\"expiresAt\":\"+999999999-12-31T23:59:59.999999999-18:00\"}",
                "[".repeat(600));
        Fuzz.run(seeds, BodyFuzzTest::read);
    }

    private static void read(String text) {
        try {
            Body body = (Body) READER.readFrom(
                    TYPE,
                    TYPE,
                    null,
                    MediaType.APPLICATION_JSON_TYPE,
                    HEADERS,
                    new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
            String name = body.name();
            assertTrue(body.expiresAt == null
                    || body.expiresAt.stream().allMatch(time -> time.getEpochSecond() < 253_402_300_800L));
            assertTrue(name.codePointCount(0, name.length()) <= 255 && !name.isBlank(), name);
            assertEquals(name, new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
            assertTrue(name.chars().noneMatch(Character::isISOControl), name);
        } catch (ApiException refusal) {
            assertTrue(REFUSALS.contains(refusal.code()), refusal::toString);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void forms_madeFromValidOnes_areReadOrRefused() {
        List<String> seeds = List.of(
                "owner=Acme+Zoo&plan=free&limits.perMinute=5&expiresAt=2030-12-05T00%3A00",
                "owner=" + URLEncoder.encode("Müller 😀 & <b>", StandardCharsets.UTF_8) + "&form=AAAA_-",
                "a=%00%0D%0A&b=%25");
        Fuzz.run(seeds, BodyFuzzTest::readForm);
    }

    /** Checks that the fields are the same after they are written as browsers write them, and read again. */
    private static void readForm(String body) {
        try {
            String owner =
                    Form.parse(body.getBytes(StandardCharsets.ISO_8859_1)).value("owner");
            String written = "owner=" + URLEncoder.encode(owner, StandardCharsets.UTF_8);
            assertEquals(
                    owner,
                    Form.parse(written.getBytes(StandardCharsets.US_ASCII)).value("owner"));
        } catch (ApiException refusal) {
            assertEquals(ErrorCode.VALIDATION_FAILED, refusal.code());
        }
    }

    /** A member of each type that occurs in bodies of this service. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Body(
            @NotNull @Text(max = 255) String name,
            @NotNull Long categoryId,
            PetStatus status,
            Optional<Instant> expiresAt,
            Limits limits)
            implements JsonBody {}

    record Limits(@NotNull @Range(min = 1, max = 1000) Integer perMinute) {}

    /** Text with one character per byte, so that changes may separate the bytes of a character. */
    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
