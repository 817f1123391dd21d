package dev.animalstore.replicas;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.fixture.Visitor;
import dev.animalstore.process.Replica;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The console of the package: its sessions on several replicas and behind a proxy. */
class ConsoleReplicasIT {
    /** As during the rollout of another configuration: one operator is let go, the token of another is changed, a third has two. */
    @Test
    void sessionsAndTokens_ofAnOperatorWhoseTokenChanges_endOnTheNewReplicaAndThoseOfOthersGoOn() throws IOException {
        String admin = "animalstore.admin.token";
        String operators = "animalstore.admin.tokens.";
        Map<String, String> before =
                Map.of(admin, token("admin"), operators + "bob", token("bob"), operators + "carol", token("carol"));
        Map<String, String> after = Map.of(
                admin, token("changed"), operators + "carol", token("carol"), operators + "carol-2", token("carol-2"));
        try (Replica old = Replica.start(before);
                Replica renewed = Replica.start(after)) {
            assertAccess("admin", old, 200, renewed, 303);
            assertAccess("bob", old, 200, renewed, 303);
            assertAccess("carol", old, 200, renewed, 200);
            assertAccess("carol-2", renewed, 200, old, 303);
        }
    }

    /** Signs in at a replica, and checks the status of a page there and on another one, at one address for both, as behind a Service. */
    private static void assertAccess(String name, Replica own, int status, Replica other, int otherStatus) {
        RestAssured.port = own.port();
        RequestSpecification session = Visitor.signIn(token(name)).given().header("Host", "localhost:" + own.port());
        RequestSpecification bearer = Operator.as(token(name));
        Map.of(own, status, other, otherStatus).forEach((replica, expected) -> {
            session.port(replica.port()).get("/console").then().statusCode(expected);
            bearer.port(replica.port()).get("/admin/keys").then().statusCode(expected == 200 ? 200 : 401);
        });
    }

    private static String token(String name) {
        return name + "-" + Operator.TOKEN;
    }

    @Test
    void api_ofAReplicaForOperatorsOnly_isNotFound() throws IOException {
        TestKey key = TestKey.unlimited();
        try (Replica replica = Replica.start(Map.of("animalstore.admin.only", "true"))) {
            for (String path : List.of("/v1", "/v1/pets?limit=1", "//v1/pets", "/v1;a=b/nothing")) {
                replica.given(key)
                        .urlEncodingEnabled(false)
                        .get(path)
                        .then()
                        .statusCode(404)
                        .body("code", equalTo("not_found"))
                        .body("message", equalTo("No such path."))
                        .header("X-RateLimit-Limit", nullValue());
            }
            assertEquals(200, replica.status("/admin/keys", new TestKey(0, Operator.TOKEN)));
            assertEquals(200, replica.status("/console/sign-in"));
            assertEquals(200, replica.status("/"));
        }
    }

    @Test
    void cookie_behindTls_isSentOverTlsOnly() {
        RestAssured.port = Replica.behindProxy().port();
        Response response = Visitor.fromOwnPage()
                .header("X-Forwarded-Proto", "https")
                .formParam("token", Operator.ANOTHER_TOKEN)
                .post("/console/sign-in");
        assertEquals(303, response.statusCode());
        assertEquals("/console", response.header("Location"));
        String given = response.header("Set-Cookie");
        assertTrue(given.startsWith("__Secure-console=") && given.contains("; Secure;"), given);
        String cookie = given.substring(0, given.indexOf(';'));
        RequestSpecification later = Visitor.fromOwnPage().header("Cookie", cookie);
        later.get("/console").then().statusCode(303);
        later.header("X-Forwarded-Proto", "https").get("/console").then().statusCode(200);
    }
}
