package dev.animalstore.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.process.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.OutputType;

/** The documents' pictures in a real browser, with the default font of the system, a wide one on Linux, which may lack the pictures' own. */
@Browser.Needed
class PicturesIT {
    private static final Path IMAGES = Path.of("docs", "images");

    /** Texts that leave the picture or the box around their middle, and those that another text or a line runs through. */
    private static final String UNREADABLE = """
            document.documentElement.setAttribute('font-family', 'DejaVu Sans, sans-serif');
            const picture = document.documentElement.getBoundingClientRect();
            const boxes = [...document.querySelectorAll('rect')].map(box => box.getBoundingClientRect());
            const texts = [...document.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
            const lines = [...document.querySelectorAll('path:not(defs *)')].map(path => {
                const matrix = path.getScreenCTM();
                return Array.from({ length: Math.ceil(path.getTotalLength()) },
                    (_, at) => path.getPointAtLength(at).matrixTransform(matrix));
            });
            const within = (inner, outer) => inner.left >= outer.left && inner.right <= outer.right
                && inner.top >= outer.top && inner.bottom <= outer.bottom;
            const holds = (box, x, y) => x > box.left && x < box.right && y > box.top && y < box.bottom;
            return texts.filter(([, text]) => !within(text, picture)
                || boxes.some(box => holds(box, (text.left + text.right) / 2, (text.top + text.bottom) / 2) && !within(text, box))
                || texts.some(([, other]) => other !== text && other.left < text.right && text.left < other.right
                    && other.top < text.bottom && text.top < other.bottom)
                || lines.some(points => points.some(point => holds(text, point.x, point.y)))).map(([words]) => words);""";

    private static final int WIDTH = 880;

    @AutoClose("quit")
    private static Browser browser;

    @BeforeAll
    static void start() {
        browser = new Browser();
        browser.show(WIDTH, "light");
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void texts_ofAPicture_areReadable(Path picture) throws IOException {
        browser.get(picture.toUri().toString());
        Files.write(Path.of("target", picture.getFileName() + ".png"), browser.getScreenshotAs(OutputType.BYTES));
        assertEquals(List.of(), browser.executeScript(UNREADABLE));
    }

    static List<Path> pictures() throws IOException {
        try (Stream<Path> images = Files.list(IMAGES)) {
            return images.filter(image -> image.toString().endsWith(".svg"))
                    .map(Path::toAbsolutePath)
                    .toList();
        }
    }
}
