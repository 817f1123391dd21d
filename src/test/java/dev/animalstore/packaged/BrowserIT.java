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
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.OutputType;

/** Swagger UI of the package, with which users try operations, in a real browser. */
@Browser.Needed
class BrowserIT {
    private static final String LIST_PETS = "#operations-pets-listPets ";
    private static final String LIST_ORDERS = "#operations-orders-listOrders ";
    private static final String CONTROL = ".opblock-summary-control";
    private static final String TRY = ".try-out__btn";
    private static final String DISABLED = TRY + ":disabled";

    @AutoClose("quit")
    private static Browser browser;

    private static Replica configured;

    @BeforeAll
    static void start() {
        configured = SharedReplicas.configured();
        browser = new Browser();
        TestDatabase.addPets(1, "available");
    }

    @Test
    void listPets_triedOutWithAKey_showsTheResponseAndTheQuota() throws IOException {
        browser.get(configured.uri("/q/swagger-ui/").toString());
        browser.await(".btn.authorize").click();
        browser.await("#auth-bearer-value").sendKeys(TestKey.of("free").text());
        browser.await(".modal-ux .btn.authorize").click();
        browser.await(".modal-ux .btn-done").click();
        browser.await(LIST_PETS + CONTROL).click();
        browser.await(LIST_PETS + TRY).click();
        browser.await(LIST_PETS + ".btn.execute").click();

        String response = LIST_PETS + ".live-responses-table .response";
        String text = browser.await(response).getText();
        Files.write(Path.of("target", "swagger-ui.png"), browser.getScreenshotAs(OutputType.BYTES));
        assertThat(browser.await(response + " .response-col_status").getText(), equalTo("200"));
        assertThat(text, containsString("\"status\": \"available\""));
        assertThat(text, containsString("x-ratelimit-remaining: 59"));
    }

    @Test
    void listOrders_isShownWithTryItOutDisabledAndTheReason() {
        browser.get(configured.uri("/q/swagger-ui/").toString());
        browser.await(LIST_ORDERS + CONTROL).click();

        assertThat(browser.await(LIST_ORDERS + ".opblock-description").getText(), containsString("orders"));
        assertThat(
                browser.await(LIST_ORDERS + ".opblock-section-header").getText(),
                containsString("x-explorer-enabled: false"));
        browser.await(LIST_ORDERS + DISABLED);
        assertThat(browser.lacks(LIST_ORDERS + TRY + ":enabled"), is(true));
        browser.await(LIST_PETS + CONTROL).click();
        browser.await(LIST_PETS + TRY + ":enabled");
        assertThat(browser.lacks(LIST_PETS + DISABLED), is(true));
    }
}
