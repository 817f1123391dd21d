package dev.animalstore.packaged;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestServers;
import dev.animalstore.local.DemoData;
import dev.animalstore.local.LocalPostgres;
import dev.animalstore.process.Browser;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/**
 * The package in a real browser: in the console a key that is shown once, the chart, and accessibility, checked by axe; and Swagger UI, with
 * which users try operations.
 */
@Browser.Needed
class BrowserIT {
    private static final Path PICTURES = Path.of("target", "console");
    private static final Path AXE = Path.of("src", "test", "contract", "node_modules", "axe-core", "axe.min.js");

    /** Whether each cell of each open table is displayed. */
    private static final String VISIBLE = "return [...document.querySelectorAll('td')].every("
            + "cell => cell.closest('details:not([open])') || cell.getClientRects().length > 0)";

    private static final String LIST_PETS = "#operations-pets-listPets ";
    private static final String GET_KEY = "#operations-key-getKey ";
    private static final String LIST_ORDERS = "#operations-orders-listOrders ";
    private static final String CONTROL = ".opblock-summary-control";
    private static final String TRY = ".try-out__btn";
    private static final String DISABLED = TRY + ":disabled";

    /** WCAG 1.4.12, which is about what readers set, and 1.4.10, about the width. */
    private static final String SPACED = """
            const spaces = new CSSStyleSheet();
            spaces.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }'
                + 'p { margin-bottom: 2em !important }');
            document.adoptedStyleSheets = [spaces];
            return document.documentElement.scrollWidth - document.documentElement.clientWidth;""";

    private static final int NARROWEST = 320;
    private static final int NARROW = 360;
    private static final int WIDE = 1200;

    @AutoClose
    private static Replica replica;

    @AutoClose("quit")
    private static Browser browser;

    private final String owner = "Acme Zoo " + UUID.randomUUID().toString().substring(0, 8);

    /** The problems found, each with the name of its view. */
    private final List<String> problems = new ArrayList<>();

    /** The replica has a database of its own with the demonstration data, which the pictures show. */
    @BeforeAll
    static void start() throws Exception {
        String database = TestDatabase.recreate("console");
        replica = Replica.start(Map.ofEntries(
                Map.entry("quarkus.datasource.jdbc.url", database),
                Map.entry("animalstore.redis.namespace", "console"),
                Map.entry("animalstore.admin.token", Operator.ANOTHER_TOKEN),
                Map.entry("animalstore.admin.tokens.alice", Operator.TOKEN),
                Map.entry("animalstore.openapi.production-url", "/v1")));
        try (var connection = TestServers.connect(database, LocalPostgres.USER);
                var redis = new Jedis(URI.create(TestServers.redis()))) {
            connection.setAutoCommit(false);
            DemoData.fill(connection, "animalstore:console:")
                    .forEach(hash -> redis.sendCommand(Protocol.Command.HSET, hash.toArray(String[]::new)));
            connection.commit();
        }
        browser = new Browser();
        browser.show(WIDE, "light");
        Files.createDirectories(PICTURES);
    }

    @BeforeEach
    void signIn() {
        visit("/console/sign-in");
        if (!browser.lacks("#token")) {
            browser.await("#token").sendKeys(Operator.TOKEN);
            press("main button");
        }
        browser.await("nav[aria-label=Console]");
    }

    @Test
    void newKey_afterReloadAndBack_isNotShownAgain() {
        String text = issue();
        press("main a.button");
        browser.await("#quota");
        browser.navigate().back();
        assertFalse(browser.getPageSource().contains(text));
        browser.navigate().forward();
        text = issue();
        browser.navigate().refresh();
        assertTrue(browser.await("h1").getText().contains("Already issued"));
        assertFalse(browser.getPageSource().contains(text));
        assertEquals(2, (int) replica.given()
                .header("Authorization", "Bearer " + Operator.TOKEN)
                .queryParam("owner", owner)
                .get("/admin/keys")
                .path("size()"));
    }

    @Test
    void bars_ofTheList_areOfOneWidth() {
        visit("/console/keys");
        assertEquals(
                1L,
                browser.executeScript(
                        "return new Set([...document.querySelectorAll('td .bar svg')].map(bar => bar.clientWidth)).size"));
    }

    @Test
    void key_printed_hasTheColoursOfItsChartAndNothingToPress() throws IOException {
        visit(customer("Petwalk App"));
        browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "print"));
        try {
            Files.write(PICTURES.resolve("printed.png"), browser.getScreenshotAs(OutputType.BYTES));
            assertThat(
                    browser.findElement(By.cssSelector(".swatch.first")).getCssValue("print-color-adjust"),
                    equalTo("exact"));
            assertEquals(
                    List.of(),
                    browser.executeScript("return [...document.querySelectorAll('nav, button, a.button, form')]"
                            + ".filter(each => each.getClientRects().length > 0).map(each => each.outerHTML)"));
        } finally {
            browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", ""));
        }
    }

    @Test
    void linkInAMail_toAPageOfTheConsole_opensItForWhoIsSignedIn() {
        String page = customer("Petwalk App");
        browser.get("data:text/html,<a href='" + replica.uri(page) + "'>key</a>");
        press("a");
        assertThat(browser.await("h1").getText(), equalTo("Petwalk App"));
    }

    @Test
    void back_afterSigningOut_showsTheSignIn() {
        visit(customer("Petwalk App"));
        press(".out button");
        browser.await("#token");
        browser.navigate().back();
        browser.await("#token");
        assertThat(browser.getPageSource(), not(containsString("Petwalk")));
    }

    /** WebKit keeps pages in memory that came over HTTP, whatever their headers say. The event is what it sends if it shows one again. */
    @Test
    void pageThatTheBrowserKept_afterSigningOut_isLoadedAnew() {
        visit(customer("Petwalk App"));
        browser.manage().deleteAllCookies();
        browser.executeScript("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
        browser.await("#token");
        assertThat(browser.getPageSource(), not(containsString("Petwalk")));
    }

    /** The file would come, and the sign-in stay on the screen with the token in its field. */
    @Test
    void download_afterTheSessionHasEnded_leadsByTheSignInToThePageOfTheFile() {
        String page = customer("Petwalk App");
        visit(page);
        browser.manage().deleteAllCookies();
        press("form[action$='/usage'] button");
        browser.await("#token").sendKeys(Operator.TOKEN);
        press("main button");
        assertThat(browser.await("h1").getText(), equalTo("Petwalk App"));
    }

    @Test
    void pages_at320PixelsWithWiderSpaces_fitIntoTheWindow() {
        String path = customer("Petwalk App");
        browser.show(NARROWEST, "light");
        for (String page : List.of(
                "/console",
                "/console/keys",
                path,
                path + "/change",
                path + "/rotation",
                path + "/suspension",
                "/console/issue",
                "/console/nothing")) {
            visit(page);
            assertEquals(0L, browser.executeScript(SPACED), page);
        }
    }

    @Test
    void key_inForcedColours_hasThoseOfItsChartInTheLegendAndOneOpenItemOfTheNavigation() throws IOException {
        visit(customer("Petwalk App"));
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "forced-colors", "value", "active"))));
        try {
            Files.write(PICTURES.resolve("forced-colours.png"), browser.getScreenshotAs(OutputType.BYTES));
            assertEquals(
                    List.of(),
                    browser.executeScript("return ['first', 'second', 'third'].filter(part =>"
                            + " getComputedStyle(document.querySelector('.swatch.' + part)).backgroundColor"
                            + " !== getComputedStyle(document.querySelector('rect.' + part)).fill)"));
            assertEquals(
                    List.of("Keys"),
                    browser.executeScript(
                            "return [...document.querySelectorAll('nav[aria-label=Console] a')].filter(each => getComputedStyle(each)"
                                    + ".borderBottomColor !== getComputedStyle(document.body).backgroundColor).map(each => each.text)"));
        } finally {
            browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
        }
    }

    /** A browser takes a password for the operator's token, which it has stored. */
    @Test
    void keyThatWasFound_isNoPasswordToTheBrowserAndHidden() {
        visit("/console/keys");
        assertTrue(browser.lacks("[type=password]"));
        assertThat(browser.await("#lookup").getCssValue("-webkit-text-security"), equalTo("disc"));
    }

    /** A shadow at the edge of the table shows that there is more. */
    @Test
    void daysAsATable_onAPhone_scrollByTheKeyboard() {
        visit(customer("Petwalk App"));
        browser.show(NARROW, "light");
        press("summary");
        WebElement days = browser.await("[role=region][aria-label='Usage by day']");
        days.sendKeys(Keys.END);
        Awaitility.await().until(() -> Integer.parseInt(days.getDomProperty("scrollTop")) > 0);
        assertThat(days.getCssValue("background-attachment"), containsString("local"));
    }

    @Test
    void pages_narrowInDarkAndWideInLight_haveNothingThatAxeFinds() throws IOException {
        assumeTrue(Files.exists(AXE), "npm ci --prefix src/test/contract --ignore-scripts brings axe");
        String path = customer("Petwalk App");
        for (String page : List.of(
                "/console",
                "/console/keys",
                "/console/keys?owner=nobody",
                path,
                customer("Kitten Cam"),
                path + "/change",
                path + "/rotation",
                path + "/suspension",
                path + "/revocation",
                "/console/issue",
                "/console/nothing")) {
            visit(page);
            inspect(page.substring(1).replaceAll("[/?]", "-"));
        }
        visit(path);
        press("summary");
        browser.executeScript("document.querySelector('details').scrollIntoView()");
        inspect("days");
        String text = issue();
        inspect("new-key");
        lookUp(text);
        browser.await("a.danger");
        inspect("found");
        lookUp("x");
        browser.await("#lookup-error");
        inspect("looked-up");
        issue();
        browser.navigate().refresh();
        inspect("issued-already");
        visit("/console/issue");
        browser.await("#owner").sendKeys(owner);
        browser.await("[name='limits.perDay']").sendKeys("x");
        press("main button");
        inspect("refused");
        press(".out button");
        browser.await("#token").sendKeys("x");
        press("main button");
        browser.await("#token-error");
        inspect("sign-in");
        assertEquals(List.of(), problems);
    }

    @Test
    void listPetsAndGetKey_triedOutWithAKey_showTheResponseAndTheQuota() throws IOException {
        visit("/q/swagger-ui/");
        browser.await(".btn.authorize").click();
        browser.await("#auth-bearer-value")
                .sendKeys(
                        replica.issue("{\"owner\":\"test\",\"plan\":\"free\"}").text());
        browser.await(".modal-ux .btn.authorize").click();
        browser.await(".modal-ux .btn-done").click();

        String pets = execute(LIST_PETS);
        Files.write(Path.of("target", "swagger-ui.png"), browser.getScreenshotAs(OutputType.BYTES));
        assertThat(pets, containsString("\"status\": \"available\""));
        assertThat(pets, containsString("x-ratelimit-remaining: 59"));
        assertThat(execute(GET_KEY), containsString("\"remaining\": 59"));
    }

    /** Tries an operation, and returns the response that is shown. */
    private String execute(String operation) {
        browser.await(operation + CONTROL).click();
        browser.await(operation + TRY).click();
        String response = operation + ".live-responses-table .response";
        // A click is lost if the page moves the button at that moment.
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(5))
                .until(() -> {
                    boolean missing = browser.lacks(response);
                    if (missing) {
                        browser.await(operation + ".btn.execute").click();
                    }
                    return !missing;
                });
        assertThat(browser.await(response + " .response-col_status").getText(), equalTo("200"));
        return browser.await(response).getText();
    }

    @Test
    void listOrders_isShownWithTryItOutDisabledAndTheReason() {
        visit("/q/swagger-ui/");
        browser.await(LIST_ORDERS + CONTROL).click();

        assertThat(browser.await(LIST_ORDERS + ".opblock-description").getText(), containsString("orders"));
        assertThat(
                browser.await(LIST_ORDERS + ".opblock-section-header").getText(),
                containsString("x-explorer-enabled: false"));
        browser.await(LIST_ORDERS + DISABLED);
        assertTrue(browser.lacks(LIST_ORDERS + TRY + ":enabled"));
        browser.await(LIST_PETS + CONTROL).click();
        browser.await(LIST_PETS + TRY + ":enabled");
        assertTrue(browser.lacks(LIST_PETS + DISABLED));
    }

    /** Inspects the page that is open, in each width and each colour scheme once, and takes a picture of each. */
    private void inspect(String page) throws IOException {
        inspect(page, NARROW, "dark");
        inspect(page, WIDE, "light");
    }

    private void inspect(String page, int width, String scheme) throws IOException {
        browser.show(width, scheme);
        String view = page + "-" + scheme + "-" + width;
        Files.write(PICTURES.resolve(view + ".png"), browser.getScreenshotAs(OutputType.BYTES));
        Object violations = browser.executeAsyncScript(Files.readString(AXE) + """
                ;const done = arguments[0];
                axe.run().then(result => done(result.violations.map(each =>
                    each.id + ": " + each.nodes.map(node => node.target + " " + node.failureSummary).join("; "))));""");
        ((List<?>) violations).forEach(violation -> problems.add(view + ": " + violation));
        if (!Boolean.TRUE.equals(browser.executeAsyncScript(
                "arguments[0](document.documentElement.scrollWidth <= document.documentElement.clientWidth)"))) {
            problems.add(view + " is wider than the window");
        }
        if (!browser.lacks("main td") && !Boolean.TRUE.equals(browser.executeScript(VISIBLE))) {
            problems.add(view + " hides a column");
        }
    }

    /** Issues a key, and returns its text, which the page shows. */
    private String issue() {
        visit("/console/issue");
        browser.await("#owner").sendKeys(owner);
        press("main button");
        return browser.await("#secret").getText();
    }

    private static void lookUp(String text) {
        visit("/console/keys");
        browser.await("#lookup").sendKeys(text);
        press("form.one button");
    }

    /** The path of the page of a demonstration customer. */
    private static String customer(String owner) {
        visit("/console/keys?owner=" + owner.replace(' ', '+'));
        return URI.create(browser.await("th.owner a").getDomProperty("href")).getPath();
    }

    private static void visit(String path) {
        browser.get(replica.uri(path).toString());
    }

    private static void press(String selector) {
        browser.await(selector).click();
    }
}
