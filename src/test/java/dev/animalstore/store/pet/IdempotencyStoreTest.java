package dev.animalstore.store.pet;

import static dev.animalstore.fixture.Responses.atOnce;
import static dev.animalstore.fixture.Responses.error;
import static dev.animalstore.fixture.Responses.metered;
import static dev.animalstore.fixture.Responses.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class IdempotencyStoreTest {
    private static final String HEADER = "Idempotency-Key";
    private static final String REX = "{\"name\": \"Rex\", \"categoryId\": 3}";

    private final TestKey key = TestKey.unlimited();
    private final String idempotencyKey = UUID.randomUUID().toString();

    @Test
    void retry_ofTheSameBody_getsTheFirstResponseAgainAndAddsNothing() {
        Response first = create(REX);
        Response retry = create(REX);

        first.then().spec(metered()).statusCode(201).header("Idempotency-Replayed", nullValue());
        retry.then()
                .spec(metered())
                .statusCode(201)
                .header("Location", first.header("Location"))
                .header("Idempotency-Replayed", "true");
        assertThat(text(retry), equalTo(text(first)));
        assertThat(petsOf(key), equalTo(List.of(id(first))));
    }

    /** An insertion that fails would draw one, and leave the key, which may be a secret of the client's, as an error in PostgreSQL's log. */
    @Test
    void retry_always_drawsNoIdentifier() {
        create(REX);
        long drawn = TestDatabase.number("select last_value from pet_id_seq");

        create(REX).then().statusCode(201).header("Idempotency-Replayed", "true");

        assertThat(TestDatabase.number("select last_value from pet_id_seq"), equalTo(drawn));
    }

    /** Its statements name the columns, which no compiler compares with those of the entity. */
    @Test
    void petOfEveryMember_isStoredAsWithoutAKey() throws IOException {
        JsonNode every = new YAMLMapper()
                .readTree(Path.of("src/main/resources/META-INF/openapi.yaml").toFile())
                .at("/paths/~1pets/post/requestBody/content/application~1json/examples/complete/value");
        List<String> members = Stream.of(NewPet.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        assertThat(every.properties().stream().map(Map.Entry::getKey).toList(), equalTo(members));

        Response with = create(every.toString());
        Response without = key.given()
                .contentType("application/json")
                .body(every.toString())
                .post("/v1/pets");

        String rows =
                "select distinct to_jsonb(pet) - 'id' from pet where id in (" + id(with) + ", " + id(without) + ")";
        assertThat(TestDatabase.column(rows).toList(), hasSize(1));
    }

    @Test
    void retry_ofTheSamePetInAnotherFormat_isReplayed() {
        Response first = create(REX);

        Response retry = create("{ \"status\":\"available\", \"categoryId\":3, \"name\":\"Rex\", \"id\": 1 }");

        retry.then().statusCode(201).header("Idempotency-Replayed", "true");
        assertThat(id(retry), equalTo(id(first)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\": \"rex\", \"categoryId\": 3}",
                "{\"name\": \"Rex\", \"categoryId\": 4}",
                "{\"name\": \"Rex\", \"categoryId\": 3, \"status\": \"sold\"}"
            })
    void retry_ofAnotherBody_isAMismatch(String body) {
        Response first = create(REX);

        create(body).then().spec(error(422, "idempotency_mismatch"));
        assertThat(petsOf(key), equalTo(List.of(id(first))));
    }

    @Test
    void sameText_ofAnotherApiKey_isAnotherKey() {
        Response first = create(REX);

        Response other = create(TestKey.unlimited(), REX, idempotencyKey);

        other.then().statusCode(201).header("Idempotency-Replayed", nullValue());
        assertThat(id(other), not(id(first)));
    }

    @Test
    void refused_firstRequest_isNotRemembered() {
        create("{\"name\": \"\", \"categoryId\": 3}").then().spec(error(400, "validation_failed"));

        create(REX).then().statusCode(201).header("Idempotency-Replayed", nullValue());
    }

    @Test
    void retry_whileTheFirstIsRunning_isAConflict() {
        TestDatabase.during(
                "select pg_advisory_xact_lock(hashtextextended('" + key.id() + " " + idempotencyKey + "', 0))",
                () -> create(REX).then().spec(error(409, "conflict")));
        create(REX).then().statusCode(201).header("Idempotency-Replayed", nullValue());
    }

    @Test
    void attempts_32AtOnce_addOnePet() {
        String pet = REX.replace("Rex", idempotencyKey);
        List<Response> responses =
                atOnce(32, i -> CompletableFuture.supplyAsync(() -> create(pet), run -> new Thread(run).start()));

        assertThat(TestDatabase.query("select id from pet where name = '" + idempotencyKey + "'"), hasSize(1));
        responses.forEach(response -> assertThat(response.statusCode(), oneOf(201, 409)));
        List<Response> made = responses.stream()
                .filter(response -> response.statusCode() == 201)
                .toList();
        made.forEach(response -> assertThat(text(response), equalTo(text(made.get(0)))));
        assertThat(
                made.stream()
                        .filter(response -> response.header("Idempotency-Replayed") == null)
                        .toList(),
                hasSize(1));
    }

    @Test
    void key_isRememberedForADay() {
        Response first = create(REX);
        age("23 hours 59 minutes");
        create(REX).then().statusCode(201).header("Idempotency-Replayed", "true");
        age("1 minute");

        Response again = create(REX);

        again.then().statusCode(201).header("Idempotency-Replayed", nullValue());
        assertThat(id(again), not(id(first)));
        create(REX).then().header("Location", again.header("Location")).header("Idempotency-Replayed", "true");
    }

    /** So that the records of the last day are not outnumbered. */
    @Test
    void create_removesTwoOfTheRecordsOlderThanADay_andNoPet() {
        long pet = id(create(REX));
        TestDatabase.execute("insert into idempotency_key select '" + key.id() + "', 'old ' || n, " + pet
                + ", '-infinity' from generate_series(1, 3) n");

        create(key, REX, "another");

        assertThat(petsOf(key), hasSize(3));
        key.given().get("/v1/pets/" + pet).then().statusCode(200);
    }

    /** Each connection of the pool has prepared the statements, which PostgreSQL describes again only if it must. */
    @Test
    void statements_whileTheTableGetsAColumn_areStillExecuted() {
        Runnable requests = () -> {
            for (int n = 0; n < 12; n++) {
                String text = UUID.randomUUID().toString();
                create(key, REX, text).then().statusCode(201);
                create(key, REX, text).then().statusCode(201);
            }
        };
        requests.run();
        TestDatabase.execute("alter table pet add column created_at timestamptz");
        try {
            requests.run();
        } finally {
            TestDatabase.execute("alter table pet drop column created_at");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255})
    void text_withinItsBounds_isAccepted(int length) {
        create(key, REX, "~".repeat(length)).then().statusCode(201);
    }

    static Stream<List<String>> invalidTexts() {
        return Stream.of(
                List.of(""), List.of("a\tb"), List.of("caf\u00e9"), List.of("x".repeat(256)), List.of("a", "b"));
    }

    @ParameterizedTest
    @MethodSource("invalidTexts")
    void text_outOfBoundsOrGivenTwice_isRefused(List<String> texts) {
        create(key, REX, texts.toArray())
                .then()
                .spec(error(400, "bad_request"))
                .body("message", equalTo(HEADER + " must be given once, as 1 to 255 printable ASCII characters."));
    }

    private Response create(String body) {
        return create(key, body, idempotencyKey);
    }

    private static Response create(TestKey caller, String body, Object... idempotencyKeys) {
        return caller.given()
                .headers(Map.of(HEADER, List.of(idempotencyKeys)))
                .contentType("application/json")
                .body(body)
                .post("/v1/pets");
    }

    private static long id(Response response) {
        return response.jsonPath().getLong("id");
    }

    private static List<Long> petsOf(TestKey caller) {
        return TestDatabase.query("select pet_id from idempotency_key where caller = '" + caller.id() + "'");
    }

    private void age(String interval) {
        TestDatabase.execute("update idempotency_key set created_at = created_at - interval '" + interval
                + "' where caller = '" + key.id() + "'");
    }
}
