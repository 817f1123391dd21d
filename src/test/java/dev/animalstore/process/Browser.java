package dev.animalstore.process;

import dev.animalstore.fixture.Patience;
import java.io.File;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A headless Chromium without history, which is installed on this machine; nothing is downloaded. */
public final class Browser extends ChromeDriver {
    private static final Optional<File> CHROMIUM = Program.find("chromium", "chromium-browser", "google-chrome");
    private static final Optional<File> CHROMEDRIVER = Program.find("chromedriver");
    private static final int HEIGHT = 1000;

    public Browser() {
        super(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(CHROMEDRIVER.orElseThrow())
                        .usingAnyFreePort()
                        .build(),
                // Most containers run as root, which has no sandbox, and with little shared memory.
                new ChromeOptions()
                        .setBinary(CHROMIUM.orElseThrow())
                        .addArguments(
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-dev-shm-usage",
                                "--window-size=1280,3200"));
        manage().timeouts().scriptTimeout(Patience.LIMIT).pageLoadTimeout(Patience.LIMIT);
    }

    /** Skips tests, with a message, on a machine without the browser or its driver. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @EnabledIf(
            value = "dev.animalstore.process.Browser#isInstalled",
            disabledReason = "There is no chromium or no chromedriver on the PATH.")
    public @interface Needed {}

    public static boolean isInstalled() {
        return CHROMIUM.isPresent() && CHROMEDRIVER.isPresent();
    }

    /** Sets the width of the window in pixels, and the preferred colour scheme, {@code light} or {@code dark}. */
    public void show(int width, String scheme) {
        executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
        executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Waits for a visible element of a CSS selector. */
    public WebElement await(String selector) {
        return Awaitility.await()
                .ignoreExceptions()
                .until(() -> findElement(By.cssSelector(selector)), WebElement::isDisplayed);
    }

    public boolean lacks(String selector) {
        return findElements(By.cssSelector(selector)).isEmpty();
    }
}
