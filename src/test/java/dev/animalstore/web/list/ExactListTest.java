package dev.animalstore.web.list;

import static dev.animalstore.fixture.Responses.atOnce;
import static dev.animalstore.fixture.Responses.metered;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.RedisState;
import dev.animalstore.fixture.TestKey;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a change is announced, and what its response waits for. */
@QuarkusTest
class ExactListTest {
    private static final String PATH = "/v1/samples/changes";
    private static final String OTHER = "/v1/samples/others";

    /** More than may run at a time, and so many that they would need several seconds if each kept its place for one. */
    private static final int REQUESTS = 40;

    /** For which an announcement is repeated, without the time that a probe may have failed before. */
    private static final Duration ANNOUNCING = Duration.ofMillis(900);

    @Inject
    ExactLists lists;

    private ExactList<Void> list;
    private ExactList<Void> other;
    private String before;

    /** Gives it a version, so that there is one to compare. */
    @BeforeEach
    void change() {
        list = define(lists, PATH);
        other = define(lists, OTHER);
        announceAndAwait(list, PATH);
        before = RedisState.version(PATH);
    }

    @Test
    void change_inATransaction_isAnnouncedAfterItsCommit() {
        QuarkusTransaction.requiringNew().run(() -> {
            list.changed();
            announceAnother();
            assertEquals(before, RedisState.version(PATH));
        });
        Awaitility.await().until(() -> !before.equals(RedisState.version(PATH)));
    }

    @Test
    void change_thatIsRolledBack_isNotAnnounced() {
        assertThrows(
                IllegalStateException.class,
                () -> QuarkusTransaction.requiringNew().run(() -> {
                    list.changed();
                    throw new IllegalStateException("on purpose");
                }));
        announceAnother();
        assertEquals(before, RedisState.version(PATH));
    }

    /** Redis gets it after all that was sent before. */
    private void announceAnother() {
        QuarkusTransaction.suspendingExisting().run(() -> announceAndAwait(other, OTHER));
    }

    @Test
    void responses_whenRedisBeginsToFail_waitWithoutTheirPlaces() {
        TestKey key = TestKey.unlimited();
        key.given().post(PATH).then().statusCode(200);
        long begun = System.nanoTime();
        RedisState.refuseWrites(() -> {
            List<Response> responses = atOnce(
                    REQUESTS,
                    i -> CompletableFuture.supplyAsync(() -> key.given().post(PATH), run -> new Thread(run).start()));
            assertTrue(System.nanoTime() - begun >= ANNOUNCING.toNanos(), "they are announced");
            responses.forEach(response -> response.then().statusCode(200).spec(metered()));
        });
    }

    private static void announceAndAwait(ExactList<Void> list, String path) {
        String version = RedisState.version(path);
        list.changed();
        Awaitility.await().until(() -> !Objects.equals(version, RedisState.version(path)));
    }

    private static ExactList<Void> define(ExactLists lists, String path) {
        return lists.at(path, (filter, after, count) -> List.of(), row -> 0);
    }

    /** Whose operation changes its list, and nothing else. */
    @Path(PATH)
    public static class ChangingResource {
        private final ExactList<Void> list;

        ChangingResource(ExactLists lists) {
            list = define(lists, PATH);
        }

        @POST
        public Map<String, Boolean> change() {
            list.changed();
            return Map.of("changed", true);
        }
    }
}
