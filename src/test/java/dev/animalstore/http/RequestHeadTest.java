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
        RequestHead.correct(request, false);
        assertEquals(kept, request.headers().contains("Forwarded"));
    }
}
