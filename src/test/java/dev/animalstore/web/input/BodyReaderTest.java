package dev.animalstore.web.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.animalstore.fixture.Fuzz;
import dev.animalstore.fixture.Independent;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import jakarta.validation.Validation;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.hibernate.validator.constraints.Range;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What bodies of any record and class are read as, and the reason for each member that is refused. */
@Independent
class BodyReaderTest {
    private static final Set<ErrorCode> REFUSALS = Set.of(ErrorCode.MALFORMED_JSON, ErrorCode.VALIDATION_FAILED);
    private static final BodyReader READER =
            new BodyReader(JsonMapper.builder().findAndAddModules().build(), Validation.buildDefaultValidatorFactory());

    enum Status {
        AVAILABLE,
        PENDING,
        SOLD;

        @JsonValue
        final String value = name().toLowerCase(Locale.ROOT);
    }

    enum Size2 {
        SMALL,
        BIG
    }

    /** A member of each kind. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Body(
            Long int64,
            Integer int32,
            @Range(min = 1, max = 9) Integer digit,
            Status status,
            Size2 size,
            Instant time,
            Optional<Instant> until,
            LocalDate day,
            OffsetDateTime offset,
            Duration length,
            Boolean flag,
            Double fraction,
            BigDecimal price,
            String text,
            List<String> texts,
            Object any,
            List<@Min(1) Integer> positive,
            UUID uuid,
            @jakarta.validation.constraints.Size(max = 2) List<Long> numbers,
            Map<String, Integer> counts,
            Item item,
            List<Item> items,
            Bean bean) {}

    record Aliased(@JsonAlias("amount") @Min(1) int quantity) {}

    record Item(
            @NotNull @Range(min = 1, max = 5) Integer quantity,
            @JsonProperty("price_cents") long price) {}

    static final class Bean {
        public int number;
        public String text;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            int64    | 7                          | 7
            int64    | 7.0                        | 7
            int64    | 1e2                        | 100
            int64    | -9223372036854775808.0     | -9223372036854775808
            int64    | -70E-1                     | -7
            int64    | 0e999999999                | 0
            int32    | 2147483647                 | 2147483647
            int32    | 1.0e1                      | 10
            status   | "sold"                     | SOLD
            size     | "BIG"                      | BIG
            time     | "2030-12-05T01:00:00.1234567+01:00" | 2030-12-05T00:00:00.123456Z
            time     | "0001-01-01T00:00:00Z"     | 0001-01-01T00:00:00Z
            time     | "9999-12-31T23:59:59Z"     | 9999-12-31T23:59:59Z
            until    | null                       | Optional.empty
            until    | "2030-12-05T00:00:00Z"     | Optional[2030-12-05T00:00:00Z]
            day      | "2030-12-05"               | 2030-12-05
            offset   | "2030-12-05T00:00:00Z"     | 2030-12-05T00:00Z
            length   | "PT5M"                     | PT5M
            flag     | true                       | true
            fraction | 7                          | 7.0
            fraction | 7.5                        | 7.5
            price    | 0.10                       | 0.10
            text     | " 7 "                      | ` 7 `
            uuid     | "00000000-0000-0000-0000-000000000007" | 00000000-0000-0000-0000-000000000007
            numbers  | [1, 2.0]                   | [1, 2]
            counts   | {"a": 1e1}                 | {a=10}
            item     | {"quantity": 2, "price_cents": 3} | Item[quantity=2, price=3]
            items    | [{"quantity": 2, "price_cents": 3}] | [Item[quantity=2, price=3]]
            """)
    void member_ofEachType_isRead(String member, String sent, String read) throws Exception {
        Body body = read(Body.class, "{\"" + member + "\": " + sent + "}");

        assertEquals(read, String.valueOf(Body.class.getDeclaredMethod(member).invoke(body)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            int64    | "7" 7.5 true null [] [7] {} "" 1e-1 1e-999999999 1e99999999999 | int64 must be an integer.
            int64    | 9223372036854775808 9223372036854775808.0 -9223372036854775809 1e19 -1e999999999 | int64 must be from -9223372036854775808 to 9223372036854775807.
            int32    | 2147483648 3e9             | int32 must be from -2147483648 to 2147483647.
            digit    | 0 10 2147483648            | digit must be from 1 to 9.
            status   | "\\u0020sold" "SOLD" "Available" "gone" "" [] 0 "0" true null {} | status must be one of available, pending, sold.
            size     | "big" "BIG\\t" 1           | size must be one of SMALL, BIG.
            time     | 1700000000 "1700000000" 1.7e9 "" "2030-12-05" "10000-01-01T00:00:00Z" "+10000-01-01T00:00:00Z" | time must be a date and time such as 2030-12-05T00:00:00Z.
            time     | "9999-12-31T23:00:00-18:00" "0000-01-01T00:00:00Z" "\\u00202030-12-05T00:00:00Z" true {} | time must be a date and time such as 2030-12-05T00:00:00Z.
            until    | 7 "x"                      | until must be a date and time such as 2030-12-05T00:00:00Z.
            day      | 7 "7" [2030,12,5] "" "2030-12-05T00:00:00Z" "2030-12-05T00:00:00" "2030-02-30" | day must be a date such as 2030-12-05.
            offset   | 7 "7" "1.7e9" ""           | offset is malformed.
            length   | 7 "7" ""                   | length is malformed.
            flag     | 1 0 "true" "" 1.0 null     | flag must be true or false.
            fraction | "7.5" "NaN" "Infinity" true "" 1e999 | fraction must be a number.
            price    | "0.10" true "NaN"          | price must be a number.
            text     | 7 7.5 true null [] {}      | text must be a string.
            text     | "\\u0000" "a\\u0000"     | text must not contain U+0000.
            texts    | ["a","\\u0000"]           | texts must not contain U+0000.
            any      | {"a":["\\u0000"]} {"\\u0000":1} | any must not contain U+0000.
            positive | [1,0,-1]                   | positive[1] must be at least 1; positive[2] must be at least 1.
            uuid     | 7 "x" ""                   | uuid is malformed.
            numbers  | 7 {} "1"                   | numbers must be an array.
            numbers  | ["1"] [1.5]                | numbers[0] must be an integer.
            numbers  | [1,2,3]                    | numbers must have at most 2 elements.
            counts   | [] 7                       | counts must be an object.
            counts   | {"a\\u0000":"1"}           | counts.a\ufffd must be an integer.
            item     | [] 7 "x"                   | item must be an object.
            item     | {"quantity":9,"other":1}   | item.other is unknown; item.quantity must be from 1 to 5; item.price_cents is required.
            items    | [{"quantity":"2"}]         | items[0].quantity must be an integer.
            items    | [{"quantity":2}]           | items[0].price_cents must be an integer.
            items    | [{"quantity":2,"price_cents":1,"a":1}] | items[0].a is unknown.
            bean     | {"number":"1"} {"number":1.5} {"number":null} | bean.number must be an integer.
            bean     | {"text":1}                 | bean.text must be a string.
            """)
    void member_ofAnotherType_isRefusedWithTheReason(String member, String sent, String reason) {
        for (String value : sent.split(" ", -1)) {
            ApiException refusal = assertThrows(
                    ApiException.class, () -> read(Body.class, "{\"" + member + "\": " + value + "}"), value);
            assertEquals(reason, refusal.getMessage(), value);
        }
    }

    @Test
    void alias_isReadAsItsComponent() {
        assertEquals(new Aliased(1), read(Aliased.class, "{\"amount\":1}"));
        assertRefused("quantity must be at least 1.", "{\"amount\":0}");
        assertRefused("amount is unknown.", "{\"amount\":1,\"quantity\":1}");
    }

    private static void assertRefused(String reason, String aliased) {
        ApiException refusal = assertThrows(ApiException.class, () -> read(Aliased.class, aliased));
        assertEquals(reason, refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[{\"int64\": 3}]", "\"Rex\"", "7", "true", "null"})
    void body_ofOtherThanAnObject_isRefused(String body) {
        ApiException refusal = assertThrows(ApiException.class, () -> read(Body.class, body));
        assertEquals("The body must be an object.", refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            %s    | must be from -9223372036854775808 to 9223372036854775807.
            -%s   | must be from -9223372036854775808 to 9223372036854775807.
            %s.5  | must be an integer.
            7.0%s | must be an integer.
            """)
    void number_of60000Digits_isRefused(String form, String reason) {
        String body = "{\"int64\": " + form.formatted("9".repeat(60_000)) + "}";
        ApiException refusal = assertThrows(ApiException.class, () -> read(Body.class, body));
        assertEquals("int64 " + reason, refusal.getMessage());
    }

    /** The event loop reads bodies. To convert a number takes a time that grows with the square of its length. */
    @ParameterizedTest
    @ValueSource(strings = {"int64", "int32", "digit", "fraction", "price"})
    void number_of60000Digits_isRefusedAsSoonAsAText(String member) {
        String number = "{\"" + member + "\": " + "9".repeat(60_000) + "}";
        String text = "{\"" + member + "\": \"" + "9".repeat(60_000) + "\"}";
        long ofText = fastestNanos(text);
        long ofNumber = fastestNanos(number);
        assertTrue(ofNumber < 30 * ofText, ofNumber + " ns, a text " + ofText + " ns");
    }

    private long fastestNanos(String body) {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long begun = System.nanoTime();
            assertThrows(ApiException.class, () -> read(Body.class, body));
            fastest = Math.min(fastest, System.nanoTime() - begun);
        }
        return fastest;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"id\": 1e99999999999",
                "\"id\": {\"a\": [null]}",
                "\"long\": %s",
                "\"long\": [0.%s]",
                "\"%s\": 1"
            })
    void unknownMembers_ofAnyLength_areIgnored(String member) {
        String body = "{\"int64\": 3, " + member.formatted("1".repeat(60_000)) + "}";
        assertEquals(3, read(Body.class, body).int64());
    }

    @Test
    void bodies_madeFromValidOnes_areReadOrRefused() {
        List<String> seeds = List.of(
                "{\"text\":\"Rex\",\"int64\":7.0e2,\"status\":\"sold\"}",
                "{\"text\":\"J\\u00fcrgen \\ud83d\\ude00\",\"int64\":-9223372036854775808,\"items\":[{\"quantity\":1}]}",
                "{\"numbers\":[1,2.0],\"other\":[[{\"a\":null}],1.5e3],\"fraction\":1e5}",
                "{\"item\":{\"quantity\":5},\"until\":\"2030-12-05T00:00:00Z\"}",
                "{\"time\":\"+999999999-12-31T23:59:59.999999999-18:00\"}",
                "[".repeat(600));
        Fuzz.run(seeds, text -> {
            try {
                Body body = read(Body.class, text);
                assertTrue(body.until == null
                        || body.until.stream().allMatch(time -> time.getEpochSecond() < 253_402_300_800L));
                assertTrue(body.numbers == null || body.numbers.size() <= 2);
                assertTrue(body.digit == null || (body.digit > 0 && body.digit < 10));
            } catch (ApiException refusal) {
                assertTrue(REFUSALS.contains(refusal.code()), refusal::toString);
            }
        });
    }

    private static <T> T read(Class<T> type, String body) {
        return type.cast(READER.readFrom(
                null, type, null, null, null, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))));
    }
}
