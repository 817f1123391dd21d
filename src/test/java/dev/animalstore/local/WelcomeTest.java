package dev.animalstore.local;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;

import dev.animalstore.fixture.Operator;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** The first page of development. */
@QuarkusTest
class WelcomeTest {
    @Test
    void page_ofThisMachine_showsTheTokenAndWhatRunsWhere() {
        given().header("Host", "127.0.0.1:8080")
                .get("/")
                .then()
                .statusCode(200)
                .contentType("text/html;charset=UTF-8")
                .header("Content-Security-Policy", containsString("default-src 'self'"))
                .body(containsString("<code>http://127.0.0.1:8080/v1</code>"))
                .body(containsString("<code id=\"operators\">" + Operator.TOKEN + "</code>"));
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
