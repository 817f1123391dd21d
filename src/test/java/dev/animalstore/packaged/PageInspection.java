package dev.animalstore.packaged;

import dev.animalstore.process.Browser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Inspects pages with axe, an accessibility checker, in wide and narrow windows and in both colour schemes. */
final class PageInspection {
    static final int WIDE = 1200;

    private static final int NARROW = 360;
    private static final Path AXE = Path.of("src", "test", "contract", "node_modules", "axe-core", "axe.min.js");

    private final List<String> found = new ArrayList<>();
    private final Browser browser;
    private final Path pictures;

    /** Inspects the pages of a browser, and writes a picture of each into a folder. */
    PageInspection(Browser browser, Path pictures) {
        this.browser = browser;
        this.pictures = pictures;
    }

    /** Whether axe is installed by npm. */
    static boolean isInstalled() {
        return Files.exists(AXE);
    }

    /** The problems found so far, each with the name of its view. */
    List<String> found() {
        return List.copyOf(found);
    }

    /** Runs an action in each view, with a suffix that names the view. */
    void inEachView(Consumer<String> action) {
        for (int width : new int[] {NARROW, WIDE}) {
            for (String scheme : List.of("dark", "light")) {
                browser.show(width, scheme);
                action.accept("-" + scheme + "-" + width);
            }
        }
    }

    /** Inspects the page that is open, in each view. */
    void inspectInEachView(String page) {
        inEachView(suffix -> inspect(page + suffix));
    }

    /** Inspects the page that is open. */
    void inspect(String view) {
        try {
            browser.capture(pictures.resolve(view + ".png"));
            Object violations = browser.run(Files.readString(AXE) + """
                    ;const done = arguments[0];
                    axe.run().then(result => done(result.violations.map(each =>
                        each.id + ": " + each.nodes.map(node => node.target + " " + node.failureSummary).join("; "))));""");
            ((List<?>) violations).forEach(violation -> found.add(view + ": " + violation));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!Boolean.TRUE.equals(browser.run(
                "arguments[0](document.documentElement.scrollWidth <= document.documentElement.clientWidth)"))) {
            found.add(view + " is wider than the window");
        }
    }
}
