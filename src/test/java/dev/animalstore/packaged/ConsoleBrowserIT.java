package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.animalstore.fixture.Operator;
import dev.animalstore.fixture.TestDatabase;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Browser;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;

/** The console of the package, in a real browser: forms, a key that is shown once, and accessibility, checked by axe. */
@Browser.Needed
class ConsoleBrowserIT {
    private static final Path PICTURES = Path.of("target", "console");
    private static final Path AXE = Path.of("src", "test", "contract", "node_modules", "axe-core", "axe.min.js");
    private static final int NARROW = 360;
    private static final int WIDE = 1200;

    private static Replica replica;

    @AutoClose("quit")
    private static Browser browser;

    private final String owner = "Acme Zoo " + UUID.randomUUID().toString().substring(0, 8);

    /** The problems found, each with the name of its view. */
    private final List<String> problems = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        replica = Replica.shared(Map.of());
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
    void key_changedAndRevoked_showsEachResultAndNowhereItsText() throws IOException {
        String text = issue();
        press("main a.button");
        browser.await("#quota");
        press("a[href$='/change']");
        press("#plan option[value='enterprise']");
        browser.await("#perMinute").sendKeys("2");
        browser.await("#perDay").sendKeys("x");
        press("main button");
        assertTrue(browser.await("[id='limits.perDay-error']").getText().contains("limits.perDay must be an integer."));
        assertEquals("2", browser.await("#perMinute").getDomProperty("value"));
        WebElement perDay = browser.await("#perDay");
        perDay.clear();
        perDay.sendKeys("100");
        press("main button");
        assertTrue(browser.await(".good").getText().contains("Done."));

        press("a[href$='/revocation']");
        assertTrue(browser.await("h1").getText().contains(owner));
        press("main button");
        assertTrue(browser.await(".good").getText().contains("Done."));
        assertEquals(
                401,
                replica.given()
                        .header("Authorization", "Bearer " + text)
                        .get("/v1/pets")
                        .statusCode());
        assertFalse(browser.getPageSource().contains(text));
        assertFalse(replica.log().contains(text));
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
        assertEquals(
                2,
                TestDatabase.query("select id from api_key where owner = '" + owner + "'")
                        .size());
    }

    @Test
    void pages_inLightAndDarkWideAndNarrow_haveNothingThatAxeFinds() throws IOException {
        assumeTrue(Files.exists(AXE), "npm ci --prefix src/test/contract --ignore-scripts brings axe");
        long key = TestKey.of(1, 100).update("owner = '" + owner + "'").id();
        TestDatabase.execute("""
                insert into usage_day (key_id, day, admitted, refused, banned)
                select %d, (now() at time zone 'UTC')::date - n, 1000 + n * n * 37 %% 900, n * 53 %% 90, n * 31 %% 40 from generate_series(1, 29) n
                """.formatted(key));
        String path = "/console/keys/" + key;
        for (String page : List.of(
                "/console",
                "/console/keys",
                "/console/keys?owner=nobody",
                path,
                path + "/change",
                path + "/rotation",
                path + "/revocation",
                "/console/issue",
                "/console/nothing")) {
            visit(page);
            inspect(page.substring(1).replaceAll("[/?]", "-"));
        }
        issue();
        inspect("new-key");
        browser.navigate().refresh();
        inspect("issued-already");
        visit("/console/issue");
        browser.await("#owner").sendKeys(owner);
        browser.await("#perDay").sendKeys("x");
        press("main button");
        inspect("refused");
        press(".out button");
        browser.await("#token").sendKeys("x");
        press("main button");
        browser.await("#token-error");
        inspect("sign-in");
        assertEquals(List.of(), problems);
    }

    /** Inspects the page that is open, in wide and narrow windows and in both colour schemes, and takes a picture of each. */
    private void inspect(String page) throws IOException {
        for (int width : new int[] {NARROW, WIDE}) {
            for (String scheme : List.of("dark", "light")) {
                browser.show(width, scheme);
                String view = page + "-" + scheme + "-" + width;
                Files.write(PICTURES.resolve(view + ".png"), browser.getScreenshotAs(OutputType.BYTES));
                Object violations = browser.executeAsyncScript(Files.readString(AXE) + """
                        ;const done = arguments[0];
                        axe.run().then(result => done(result.violations.map(each =>
                            each.id + ": " + each.nodes.map(node => node.target + " " + node.failureSummary).join("; "))));""");
                ((List<?>) violations).forEach(violation -> problems.add(view + ": " + violation));
                if (!Boolean.TRUE.equals(
                        browser.executeAsyncScript(
                                "arguments[0](document.documentElement.scrollWidth <= document.documentElement.clientWidth)"))) {
                    problems.add(view + " is wider than the window");
                }
            }
        }
    }

    /** Issues a key, and returns its text, which the page shows. */
    private String issue() {
        visit("/console/issue");
        browser.await("#owner").sendKeys(owner);
        press("main button");
        return browser.await("#secret").getText();
    }

    private static void visit(String path) {
        browser.get(replica.uri(path).toString());
    }

    private static void press(String selector) {
        browser.await(selector).click();
    }
}
