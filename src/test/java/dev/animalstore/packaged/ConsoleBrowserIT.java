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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.WebElement;

/** The console of two replicas of the package, in a real browser: a key's whole life, and accessibility, checked by axe. */
@Browser.Needed
class ConsoleBrowserIT {
    private static final Path PICTURES = Path.of("target", "console");

    private static Replica one;
    private static Replica other;
    private static Browser browser;

    private final String owner = "Acme Zoo " + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void start() throws IOException {
        Map<String, String> properties = Map.of("animalstore.admin.token", Operator.TOKEN);
        one = Replica.start(properties);
        other = Replica.start(properties);
        browser = Browser.start();
        browser.show(PageInspection.WIDE, "light");
        Files.createDirectories(PICTURES);
    }

    @AfterAll
    static void stop() {
        browser.close();
        one.close();
        other.close();
    }

    @BeforeEach
    void signIn() {
        browser.visit(one.uri("/console/sign-in"));
        if (!browser.lacks("#token")) {
            browser.await("#token").sendKeys(Operator.TOKEN);
            press("main button");
        }
        browser.await("nav[aria-label=Console]");
    }

    /** Cookies are not bound to a port, so the browser sends the session of one replica to the other. */
    @Test
    void key_inItsWholeLifeOnTwoReplicas_isShownOnceAndEveryChangeTakesEffect() throws IOException {
        browser.visit(one.uri("/console/issue"));
        browser.await("#owner").sendKeys(owner);
        press("#plan option[value='pro']");
        capture("issue");
        press("main button");
        String text = browser.await("#secret").getText();
        capture("new-key");
        long id = TestDatabase.query("select id from api_key where owner = '" + owner + "'")
                .get(0);
        assertEquals(200, status(other, text));

        browser.visit(other.uri("/console/keys?owner=" + owner.replace(" ", "+")));
        browser.await("tbody th a").click();
        browser.await("#quota");
        press("a[href$='/change']");
        press("#plan option[value='enterprise']");
        browser.await("#perMinute").sendKeys("2");
        browser.await("#perDay").sendKeys("x");
        press("main button");
        assertTrue(browser.await("[id='limits.perDay-error']").getText().contains("limits.perDay must be an integer."));
        assertEquals("2", browser.await("#perMinute").getDomProperty("value"));
        capture("change-refused");
        WebElement perDay = browser.await("#perDay");
        perDay.clear();
        perDay.sendKeys("100");
        press("main button");
        assertTrue(browser.await(".good").getText().contains("The key was changed."));
        assertEquals(200, status(one, text));
        for (int i = 0; i < 3; i++) {
            assertEquals(429, status(one, text));
        }

        browser.visit(other.uri("/console/keys/" + id));
        assertTrue(browser.await(".alert.bad").getText().contains("Banned until"));
        capture("banned");
        press(".alert button");
        assertTrue(browser.await(".good").getText().contains("The ban was lifted."));

        press("a[href$='/rotation']");
        press("#graceSeconds option[value='0']");
        press("main button");
        String rotated = browser.await("#secret").getText();
        assertFalse(rotated.equals(text));
        assertEquals(401, status(one, text));
        assertEquals(429, status(one, rotated));

        browser.visit(one.uri("/console/keys/" + id + "/revocation"));
        assertTrue(browser.await("h1").getText().contains(owner));
        capture("revoke");
        press("main button");
        assertTrue(browser.await(".good").getText().contains("The key was permanently revoked."));
        assertEquals(401, status(other, rotated));
        assertNowhere(text);
        assertNowhere(rotated);
    }

    @Test
    void newKey_afterReloadAndBack_isNotShownAgain() {
        browser.visit(one.uri("/console/issue"));
        browser.await("#owner").sendKeys(owner);
        press("main button");
        String text = browser.await("#secret").getText();
        press("main a.button");
        browser.await("#quota");
        browser.back();
        assertFalse(browser.source().contains(text));
        browser.forward();
        browser.visit(one.uri("/console/issue"));
        browser.await("#owner").sendKeys(owner);
        press("main button");
        text = browser.await("#secret").getText();
        browser.reload();
        assertTrue(browser.await("h1").getText().contains("Already issued"));
        assertFalse(browser.source().contains(text));
        assertEquals(
                2,
                TestDatabase.query("select id from api_key where owner = '" + owner + "'")
                        .size());
    }

    @Test
    void signOut_onOneReplica_endsTheSessionOnTheOther() {
        press(".out button");
        browser.await("#token");
        browser.visit(other.uri("/console/keys"));
        browser.await("#token");
    }

    @Test
    void pages_inLightAndDarkWideAndNarrow_haveNothingThatAxeFinds() throws IOException {
        assumeTrue(PageInspection.isInstalled(), "npm ci --prefix src/test/contract --ignore-scripts brings axe");
        Map<String, String> pages = pages();
        PageInspection inspection = new PageInspection(browser, PICTURES);
        inspection.inEachView(view -> {
            for (Map.Entry<String, String> page : pages.entrySet()) {
                browser.visit(one.uri(page.getValue()));
                inspection.inspect(page.getKey() + view);
            }
        });
        browser.visit(one.uri("/console/issue"));
        browser.await("#owner").sendKeys(owner);
        press("main button");
        inspection.inspectInEachView("new-key");
        browser.reload();
        inspection.inspectInEachView("issued-already");
        browser.visit(one.uri("/console/issue"));
        browser.await("#owner").sendKeys(owner);
        browser.await("#perDay").sendKeys("x");
        press("main button");
        inspection.inspectInEachView("refused");
        press(".out button");
        browser.await("#token").sendKeys("x");
        press("main button");
        browser.await("#token-error");
        inspection.inspectInEachView("sign-in");
        assertEquals(List.of(), inspection.found());
    }

    private Map<String, String> pages() {
        long key = TestKey.of(1, 100).update("owner = '" + owner + "'").id();
        TestDatabase.execute("""
                insert into usage_day (key_id, day, admitted, refused, banned)
                select %d, (now() at time zone 'UTC')::date - n, 1000 + n * n * 37 %% 900, n * 53 %% 90, n * 31 %% 40 from generate_series(1, 29) n
                """.formatted(key));
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("overview", "/console");
        pages.put("keys", "/console/keys");
        pages.put("no-keys", "/console/keys?owner=nobody");
        pages.put("key", "/console/keys/" + key);
        pages.put("change", "/console/keys/" + key + "/change");
        pages.put("rotation", "/console/keys/" + key + "/rotation");
        pages.put("revocation", "/console/keys/" + key + "/revocation");
        pages.put("issue", "/console/issue");
        pages.put("not-found", "/console/nothing");
        return pages;
    }

    private static void press(String selector) {
        browser.await(selector).click();
    }

    private static void capture(String name) throws IOException {
        browser.capture(PICTURES.resolve(name + ".png"));
    }

    private static int status(Replica replica, String key) {
        return replica.get("/v1/pets", "Authorization", "Bearer " + key).join().statusCode();
    }

    private static void assertNowhere(String key) throws IOException {
        assertFalse(browser.source().contains(key));
        assertFalse(one.log().text().contains(key));
        assertFalse(other.log().text().contains(key));
    }
}
