package dev.animalstore.local;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** The first page of development. */
@QuarkusTest
class WelcomeTest {
    @Test
    void page_showsTheStateAndTheKeys() {
        TestKey key = TestKey.of("free").update("owner = 'Demonstration (free)'");
        key.given().get("/v1/pets").then().statusCode(200);
        long pets = TestDatabase.number("select count(*) from pet");
        given().header("Host", "127.0.0.1:8080").get("/").then().statusCode(200);
        get("/").then()
                .statusCode(200)
                .contentType("text/html;charset=UTF-8")
                .header("Content-Security-Policy", containsString("default-src 'self'"))
                .body(containsString("<strong>" + String.format("%,d", pets) + "</strong> pets"))
                .body(containsString("<strong>59</strong> <span class=\"muted\">of 60 this minute"))
                .body(containsString("<code id=\"free\">ask_test_Demofree"))
                .body(containsString("<code id=\"operators\">" + Operator.TOKEN + "</code>"));
        key.update("owner = 'Nobody'");
    }

    @Test
    void page_whilePostgreSqlFails_saysSoAndShowsWhatIsConstant() {
        TestDatabase.execute("alter table pet rename to pet_elsewhere");
        try {
            get("/").then()
                    .statusCode(200)
                    .body(containsString("<h1>PostgreSQL is unavailable</h1>"))
                    .body(containsString("<strong>shared</strong>"))
                    .body(containsString("<code id=\"list\">curl"))
                    .body(containsString("<code id=\"free\">ask_test_Demofree"));
        } finally {
            TestDatabase.execute("alter table pet_elsewhere rename to pet");
        }
        get("/").then().body(containsString("<h1>Animal Store is up</h1>"));
    }

    /** A page elsewhere can read this one through a name of its own that leads here (DNS rebinding). */
    @Test
    void page_ofAnotherHost_doesNotShowTheToken() {
        given().redirects()
                .follow(false)
                .header("Host", "animals.example")
                .get("/")
                .then()
                .statusCode(302);
    }
}
