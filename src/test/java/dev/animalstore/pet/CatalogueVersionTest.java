package dev.animalstore.pet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.pet.CatalogueVersion.Version;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** At which later versions of the catalogue a page is still valid. */
class CatalogueVersionTest {
    private static final long LAST = 20;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            no addition since                 | a:5             | a:5             | true
            one after the page                | a:5             | b:21,a:5        | true
            several after the page            | a:5,z:4         | c:23,b:21,a:5   | true
            one on the page                   | a:5             | b:20,a:5        | false
            a late one, with a low identifier | a:5             | c:19,b:21,a:5   | false
            one of which nothing is known     | a:5             | b:21,x,a:5      | false
            one without an identifier         | a:5             | b:,a:5          | false
            one that is too large to be one   | a:5             | b:9999999999999999999,a:5 | false
            more than a version names         | a:5             | d:24,c:23,b:22  | false
            what somebody else wrote          | other           | b:21,other      | true
            written by somebody else since    | a:5             | other           | false
            a text that ends like its own     | a:5             | b:21,aa:5       | false
            a number that others wrote since  | a:5             | 1000,a:5        | false
            an earlier version                | b:21,a:5        | a:5             | false
            """)
    void page_thatOthersFollow_isKept(String since, String earlier, String present, boolean kept) {
        assertEquals(kept, version(present, 7).keeps(version(earlier, 7), LAST), since);
    }

    @Test
    void lastPage_isKeptWithoutAnAdditionOnly() {
        assertTrue(version("a:5", 7).keeps(version("a:5", 7), 0));
        assertFalse(version("b:21,a:5", 7).keeps(version("a:5", 7), 0));
    }

    @Test
    void page_fromBeforeRedisWasInDoubt_isNotKept() {
        assertFalse(version("a:5", 8).keeps(version("a:5", 7), LAST));
    }

    private static Version version(String additions, long failures) {
        return new Version(Buffer.buffer(additions), failures);
    }
}
