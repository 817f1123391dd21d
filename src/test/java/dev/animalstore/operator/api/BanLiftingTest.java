package dev.animalstore.operator.api;

import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A key that keeps sending requests after a refusal is banned, and an operator can lift the ban. */
@QuarkusTest
class BanLiftingTest {
    private static final int PER_MINUTE = 2;
    private static final int BAN_SECONDS = 300;
    private static final String REFUSED = "rate_limit_exceeded";
    private static final String BANNED = "key_banned";

    private final TestKey key = TestKey.of(PER_MINUTE, 100);

    @Inject
    MeterRegistry metrics;

    @Test
    void key_continuingAfterRefusals_isBannedAndToldUntilWhen() {
        ValidatableResponse banned = driveIntoBan();
        long reset = Long.parseLong(banned.extract().header("X-RateLimit-Reset"));
        assertTrue(Math.abs(reset - Instant.now().getEpochSecond() - BAN_SECONDS) < 30, "until " + reset);
        banned.contentType("application/json")
                .header("Retry-After", Integer.toString(BAN_SECONDS))
                .headers("X-RateLimit-Limit", "2", "X-RateLimit-Remaining", "0")
                .header("RateLimit-Policy", "\"minute\";q=2;w=60, \"day\";q=100;w=86400")
                .header("RateLimit", matchesPattern("\"minute\";r=0;t=300, \"day\";r=98;t=[0-9]{1,5}"))
                .body("size()", equalTo(3))
                .body("status", equalTo(429))
                .body(
                        "message",
                        equalTo("This API key is temporarily banned because it kept sending requests after exceeding"
                                + " its quota. Retry in 300 s."));

        refuse(BANNED);
        ValidatableResponse shown = Operator.show(key)
                .statusCode(200)
                .body("ban.size()", equalTo(3))
                .body("ban.level", equalTo(1))
                .body("ban.reason", equalTo("The key kept sending requests after exceeding its quota."))
                .body("usage.minute.remaining", equalTo(0))
                .body("usage.day.remaining", equalTo(98));
        Instant until = Instant.parse(shown.extract().path("ban.until"));
        assertEquals(reset, until.plusNanos(999_999_999).getEpochSecond());
    }

    @Test
    void liftBan_always_takesEffectFromTheNextRequestAndForgetsTheStrikesButNotTheUsage() {
        driveIntoBan();
        Operator.liftBan(key)
                .statusCode(204)
                .header("Cache-Control", "no-store")
                .body(emptyString());
        Operator.show(key).body("$", not(hasKey("ban"))).body("usage.day.remaining", equalTo(98));
        for (int i = 0; i < PER_MINUTE; i++) {
            refuse(REFUSED);
        }
        refuse(BANNED);
        Operator.show(key).body("ban.level", equalTo(1));

        Operator.liftBan(key).statusCode(204);
        RedisState.age(key, 60_000);
        key.list().statusCode(200).header("X-RateLimit-Remaining", "1");
    }

    @Test
    void liftBan_thatCannotBeRecorded_liftsNothing() {
        driveIntoBan();
        TestDatabase.during(
                "lock table key_change in share mode",
                () -> Operator.liftBan(key).statusCode(503));
        refuse(BANNED);
    }

    /** Redis responds, and then refuses the write. */
    @Test
    void liftBan_thatRedisRefusesAfterTheCommit_is503AndCanBeRepeated() {
        driveIntoBan();
        double before = lifted();
        RedisState.refuseWrites(() -> Operator.liftBan(key)
                .statusCode(503)
                .header("Retry-After", matchesPattern("[0-9]+"))
                .body("code", equalTo("service_unavailable")));
        assertEquals(before, lifted());
        // Until a probe has succeeded, the replica decides without Redis, and bans nobody.
        Awaitility.await().until(() -> key.list().extract().path("code"), BANNED::equals);
        Operator.liftBan(key).statusCode(204);
        refuse(REFUSED);
        assertEquals(before + 1, lifted());
    }

    /** Redis would otherwise know a version that PostgreSQL never had, and every replica would read the key. */
    @Test
    void liftBan_thatIsRolledBack_announcesNothing() {
        driveIntoBan();
        Map<String, String> before = RedisState.read(key);
        TestDatabase.execute("create function fail() returns trigger language plpgsql as 'begin raise ''no''; end'");
        TestDatabase.execute("create constraint trigger fail after update on api_key deferrable initially deferred"
                + " for each row when (new.id = " + key.id() + ") execute function fail()");
        try {
            Operator.liftBan(key).statusCode(500);
        } finally {
            TestDatabase.execute("drop function fail cascade");
        }
        assertEquals(before, RedisState.read(key));
        refuse(BANNED);
    }

    private double lifted() {
        return metrics.counter("animalstore.operator.actions", "action", "liftBan", "outcome", "204")
                .count();
    }

    @Test
    void rotation_whileBanned_bansTheNewSecretToo() {
        driveIntoBan();
        TestKey current = Operator.rotated(key, 0);
        current.list().statusCode(429).body("code", equalTo(BANNED));
    }

    /** Exhausts the minute and sends refused requests until one of them causes the ban; returns that response. */
    private ValidatableResponse driveIntoBan() {
        for (int i = 0; i < PER_MINUTE; i++) {
            key.list().statusCode(200);
        }
        for (int i = 0; i < PER_MINUTE; i++) {
            refuse(REFUSED);
        }
        return refuse(BANNED);
    }

    private ValidatableResponse refuse(String code) {
        return key.list().statusCode(429).body("code", equalTo(code));
    }
}
