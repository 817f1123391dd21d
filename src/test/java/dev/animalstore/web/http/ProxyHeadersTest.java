package dev.animalstore.web.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Independent;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The address of a client, by {@code X-Forwarded-For} and the number of our proxies. */
@Independent
class ProxyHeadersTest {
    /** Header lines are separated by semicolons; without an address that of the connection counts. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            1 | 203.0.113.8                              | 203.0.113.8
            1 | 198.51.100.1, 203.0.113.8                | 203.0.113.8
            2 | 198.51.100.1, 203.0.113.8                | 198.51.100.1
            2 | 198.51.100.1, 203.0.113.8, 192.0.2.1     | 203.0.113.8
            1 | 198.51.100.1;203.0.113.8                 | 203.0.113.8
            2 | 198.51.100.1;203.0.113.8, 192.0.2.1      | 203.0.113.8
            1 | ', ,203.0.113.8'                         | 203.0.113.8
            1 | ':80, 203.0.113.8:4711'                  | 203.0.113.8
            1 | [2001:db8::1]:4711                       | 2001:db8::1
            1 | [2001:db8::1]                            | 2001:db8::1
            1 | 2001:db8::1                              | 2001:db8::1
            2 | 203.0.113.8                              | -
            1 | 203.0.113.8, unknown                     | -
            1 | '203.0.113.8,'                           | -
            1 | 203.0.113.8:x:1                          | -
            1 | ''                                       | -
            1 | []:80                                    | -
            1 | :80                                      | -
            """)
    void client_isAsManyPlacesFromTheRightAsThereAreProxies(int proxies, String lines, String expected) {
        assertEquals(expected, ProxyHeaders.client(List.of(lines.split(";", -1)), proxies));
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void client_withoutTheHeader_isThatOfTheConnection(int proxies) {
        assertEquals(null, ProxyHeaders.client(List.of(), proxies));
    }
}
