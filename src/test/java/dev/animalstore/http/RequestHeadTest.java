package dev.animalstore.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.fixture.Independent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** RFC 9112, section 3.2.2; the scheme of an address ignores case (RFC 3986, section 3.1). */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://a.example/v1/pets?limit=1 | /v1/pets?limit=1             | a.example
            HTTP://a.example:8080            | /                            | a.example:8080
            http://a.example?limit=1         | /?limit=1                    | a.example
            http://me:secret@a.example/v1    | /v1                          |
            https://a.example/v1/pets        | https://a.example/v1/pets    | b.example
            /v1/pets?of=http://a.example     | /v1/pets?of=http://a.example | b.example
            """)
    void target_inAbsoluteForm_isSplitIntoPathAndHost(String target, String path, String host) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
        request.headers().set("Host", "b.example");
        RequestHead.correct(request);
        assertEquals(path, request.uri());
        assertEquals(host, request.headers().get("Host"));
    }
}
