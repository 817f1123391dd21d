package dev.animalstore.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Independent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken from the head of a request: its target, its area, and the address of the client. */
@Independent
class RequestHeadTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            for=192.0.2.7                                        | true
            for="192.0.2.7:4711";proto=https                     | true
            for="[2001:db8::1]:4711";host=f.example              | true
            for=192.0.2.43, for="[2001:db8:cafe::17]"            | true
            for=                                                 | false
            for="";proto=https                                   | false
            for=":80"                                            | false
            """)
    void forwarded_whoseAddressIsMissing_isRemoved(String value, boolean kept) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/v1/pets");
        request.headers().set("Forwarded", value);
        RequestHead.correct(request);
        assertEquals(kept, request.headers().contains("Forwarded"));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/pets?limit=%zz, /v1/pets?limit=%25zz",
        "/v1/pets?a=%&b=%4&c=%4A%, /v1/pets?a=%25&b=%254&c=%4A%25",
        "/v1/%zz?a=%41, /v1/%zz?a=%41",
        "/v1/pets, /v1/pets"
    })
    void percentSign_aloneInAQuery_standsForItself(String target, String escaped) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
        RequestHead.correct(request);
        assertEquals(escaped, request.uri());
    }

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
