package dev.animalstore.web.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Independent;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose a request is, and the address of the client that sent it. */
@Independent
class AreaTest {
    @ParameterizedTest
    @CsvSource({
        "/v1, API", "/v1/, API", "/v1/pets, API", "/v1;x=1/pets, API",
        "/v1%2Fpets;x=1, API", "/admin/keys, ADMIN", "/admin;x=1/keys, ADMIN", "/console, CONSOLE",
        "/console;/keys, CONSOLE", "/q/openapi, DOCUMENTS", "/, NONE", "/v10, NONE",
        "/administration, NONE", "/v1%3Bx=1/pets, NONE", "//v1/pets, NONE", "/;x=1/v1/pets, NONE"
    })
    void path_hasTheAreaOfItsFirstSegment(String path, Area area) {
        assertEquals(area, Area.ofPath(path));
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7", "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
        "2001:db8:1:2::ffff, 2001:db8:1:2::/64", "2001:db8:1:3::1, 2001:db8:1:3::/64",
        "[2001:db8:1:2::1], 2001:db8:1:2::/64", "::1, ::/64",
        "::ffff:192.0.2.7, 192.0.2.7", "::ffff:c000:207, 192.0.2.7",
        "[::ffff:192.0.2.7], 192.0.2.7"
    })
    void address_ofAPeer_isItsIpv4AddressOrItsIpv6Prefix(String peer, String expected) {
        assertEquals(expected, ClientAddress.of(SocketAddress.inetSocketAddress(4711, peer)));
    }
}
