package dev.animalstore.operator.api;

import static dev.animalstore.fixture.Operator.refusal;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.animalstore.fixture.Management;
import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rotated key remains one key with one quota, whichever of its secrets is sent. */
@QuarkusTest
class RotationTest {
    private static final int GRACE = 3600;

    @Test
    void rotation_withGrace_returnsTheKeyWithBothSecrets() {
        TestKey old = TestKey.of("free");
        ValidatableResponse rotated = Operator.rotate(old, GRACE)
                .statusCode(201)
                .contentType("application/json")
                .header("Cache-Control", "no-store")
                .body("id", equalTo((int) old.id()))
                .body("secrets[0].expiresAt", nullValue())
                .body("secrets[1].expiresAt", notNullValue());
        TestKey current = new TestKey(old.id(), rotated.extract().path("key"));
        assertNotEquals(old.text(), current.text());
        rotated.body("secrets.hint", contains(current.hint(), old.hint()));
        Operator.show(old)
                .body("secrets.hint", contains(current.hint(), old.hint()))
                .body("key", nullValue());
    }

    @Test
    void responses_toTheOldSecret_haveTheDatesOfDeprecationAndSunset() {
        TestKey old = TestKey.of(1, 10);
        TestKey current = Operator.rotated(old, GRACE);
        Instant rotated = Instant.parse(Operator.show(old).extract().path("secrets[0].createdAt"));
        Instant end = Instant.parse(Operator.show(old).extract().path("secrets[1].expiresAt"));
        assertEquals(rotated.plusSeconds(GRACE), end);

        for (int status : new int[] {200, 429}) {
            String sunset = DateTimeFormatter.RFC_1123_DATE_TIME.format(end.atZone(ZoneOffset.UTC));
            old.list().statusCode(status).headers("Deprecation", "@" + rotated.getEpochSecond(), "Sunset", sunset);
        }
        current.list().statusCode(429).headers("Deprecation", nullValue(), "Sunset", nullValue());
    }

    @Test
    void requests_withTheOldSecret_areCounted() {
        TestKey old = TestKey.of("free");
        TestKey current = Operator.rotated(old, GRACE);
        double before = Management.metric("animalstore_rotated_secret_requests_total");
        for (TestKey secret : List.of(old, old, current)) {
            secret.list().statusCode(200);
        }
        Awaitility.await()
                .until(() -> Management.metric("animalstore_rotated_secret_requests_total"), equalTo(before + 2));
    }

    @Test
    void rotation_afterAGraceHasEnded_doesNotReviveTheSecretOfThatGrace() {
        TestKey first = TestKey.of("free");
        TestKey second = Operator.rotated(first, GRACE);
        first.updateSecret("expires_at = now()");
        refuse(first);
        second.list().statusCode(200);
        TestKey third = Operator.rotated(second, GRACE);
        Operator.show(first).body("secrets.hint", contains(third.hint(), second.hint()));
        refuse(first);
    }

    @Test
    void rotation_duringAGrace_neverExtendsItAndWithoutGraceEndsAllAtOnce() {
        TestKey first = TestKey.of("free");
        first.list().statusCode(200);
        TestKey second = Operator.rotated(first, 60);
        String end = Operator.show(first).extract().path("secrets[1].expiresAt");
        Operator.rotate(second, GRACE)
                .statusCode(201)
                .body("secrets", hasSize(3))
                .body("secrets[2].expiresAt", equalTo(end))
                .body("secrets[1].expiresAt", not(end));
        first.list().statusCode(200);
        second.list().statusCode(200);

        TestKey last = Operator.rotated(second, 0);
        // As a replica whose clock is late sees them.
        first.updateSecret("expires_at = now() + interval '1 hour'");
        second.updateSecret("expires_at = now() + interval '1 hour'");
        refuse(first);
        refuse(second);
        last.list().statusCode(200).header("X-RateLimit-Remaining", "56");
        Operator.show(last).body("secrets.hint", contains(last.hint()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"revoked_at = now()", "expires_at = now()"})
    void rotation_ofAKeyThatCannotBeUsed_isAConflict(String update) {
        TestKey key = TestKey.of("free").update(update);
        var before = Operator.stored(key);
        Operator.rotate(key, GRACE).spec(refusal(409, "conflict", equalTo("The key has been revoked or has expired.")));
        assertEquals(before, Operator.stored(key));
    }

    private static void refuse(TestKey secret) {
        secret.list().statusCode(401).body("code", equalTo("invalid_api_key"));
    }
}
