package dev.animalstore.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
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
