package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Browser;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Swagger UI of the packaged application, with which users try operations, in a real browser. */
@Browser.Needed
class SwaggerUiIT {
    private static final String LIST_PETS = "#operations-pets-listPets ";
    private static final String GET_PET = "#operations-pets-getPet ";
    private static final String LIST_ORDERS = "#operations-orders-listOrders ";

    private static Browser browser;
    private static Replica replica;

    @BeforeAll
    static void start() throws IOException {
        browser = Browser.start();
        replica = Replica.start(Map.of("animalstore.openapi.production-url", "/v1"));
        TestDatabase.addPets(1, "available");
    }

    @AfterAll
    static void stop() {
        browser.close();
        replica.close();
    }

    @BeforeEach
    void open() {
        browser.visit(replica.uri("/q/swagger-ui/"));
    }

    @Test
    void listPets_triedOutWithAKey_showsTheResponseAndTheQuota() throws IOException {
        browser.await(".btn.authorize").click();
        browser.await("#auth-bearer-value").sendKeys(TestKey.of("free").text());
        browser.await(".modal-ux .btn.authorize").click();
        browser.await(".modal-ux .btn-done").click();
        browser.await(LIST_PETS + ".opblock-summary-control").click();
        browser.await(LIST_PETS + ".try-out__btn").click();
        browser.await(LIST_PETS + ".btn.execute").click();

        String response =
                browser.await(LIST_PETS + ".live-responses-table .response").getText();
        browser.capture(Path.of("target", "swagger-ui.png"));
        assertThat(
                browser.await(LIST_PETS + ".live-responses-table .response .response-col_status")
                        .getText(),
                equalTo("200"));
        assertThat(response, containsString("\"status\": \"available\""));
        assertThat(response, containsString("x-ratelimit-remaining: 59"));
    }

    @Test
    void getPet_deprecated_isStruckThrough() {
        assertThat(
                browser.await(GET_PET + ".opblock-summary-path__deprecated").getCssValue("text-decoration-line"),
                equalTo("line-through"));
        assertThat(browser.lacks(LIST_PETS + ".opblock-summary-path__deprecated"), is(true));
    }

    @Test
    void listOrders_isShownWithoutTryItOut() {
        browser.await(LIST_ORDERS + ".opblock-summary-control").click();

        assertThat(browser.await(LIST_ORDERS + ".opblock-description").getText(), containsString("orders"));
        assertThat(browser.lacks(LIST_ORDERS + ".try-out__btn"), is(true));
        browser.await(GET_PET + ".opblock-summary-control").click();
        browser.await(GET_PET + ".try-out__btn");
    }
}
