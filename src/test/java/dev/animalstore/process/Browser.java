package dev.animalstore.process;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A headless Chromium that is installed on this machine; nothing is downloaded. */
public final class Browser implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Optional<File> CHROMIUM = program("chromium", "chromium-browser", "google-chrome");
    private static final Optional<File> CHROMEDRIVER = program("chromedriver");
    private static final String ABSENT = "There is no chromium or no chromedriver on the PATH.";

    private static final int HEIGHT = 1000;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Skips tests, with a message, on a machine without the browser or its driver. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @EnabledIf(value = "dev.animalstore.process.Browser#isInstalled", disabledReason = ABSENT)
    public @interface Needed {}

    /** Whether the browser and its driver are installed. */
    public static boolean isInstalled() {
        boolean installed = CHROMIUM.isPresent() && CHROMEDRIVER.isPresent();
        if (!installed) {
            System.err.println("Tests in a browser are skipped. " + ABSENT);
        }
        return installed;
    }

    /** Starts a browser of its own, without history. */
    public static Browser start() {
        // Most containers run as root, which has no sandbox, and with little shared memory.
        ChromeOptions options = new ChromeOptions()
                .setBinary(CHROMIUM.orElseThrow())
                .addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,3200");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(CHROMEDRIVER.orElseThrow())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(TIMEOUT).pageLoadTimeout(TIMEOUT);
        return new Browser(driver);
    }

    /** Opens a page and returns once it is loaded. */
    public void visit(URI page) {
        driver.get(page.toString());
    }

    /** Goes back to the previous page. */
    public void back() {
        driver.navigate().back();
    }

    /** Goes to the page that was left by {@link #back}. */
    public void forward() {
        driver.navigate().forward();
    }

    /** Loads the page again, and confirms that its form is sent again. */
    public void reload() {
        driver.navigate().refresh();
    }

    /** The current source of the page. */
    public String source() {
        return driver.getPageSource();
    }

    /** Sets the width of the window in pixels, and the preferred colour scheme, {@code light} or {@code dark}. */
    public void show(int width, String scheme) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Runs a script in the page, and waits for the result that it passes to its last argument, a function. */
    public Object run(String script, Object... arguments) {
        return driver.executeAsyncScript(script, arguments);
    }

    /** Waits for a visible element of a CSS selector. */
    public WebElement await(String selector) {
        return Awaitility.await()
                .atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> driver.findElement(By.cssSelector(selector)), WebElement::isDisplayed);
    }

    /** Whether the page currently has no element of a CSS selector. */
    public boolean lacks(String selector) {
        return driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    /** Saves a screenshot. */
    public void capture(Path file) throws IOException {
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }

    private static Optional<File> program(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> new File(folder, name)))
                .filter(File::canExecute)
                .findFirst();
    }
}
