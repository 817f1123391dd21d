package dev.animalstore.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.animalstore.fixture.KeptConnection;
import dev.animalstore.fixture.RawHttp;
import dev.animalstore.fixture.TestKey;
import dev.animalstore.process.Replica;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose end or host a proxy may see elsewhere: nothing behind them on the connection is responded to. */
class SmugglingIT {
    private static final String PET = "{\"name\":\"Rex\",\"categoryId\":1}";
    private static final String SECOND = "GET /v1/pets?limit=1 HTTP/1.1\r\nHost: localhost\r\n";

    private final Replica replica = Replica.shared(Map.of());
    private final String authorization =
            "Authorization: Bearer " + TestKey.unlimited().text() + "\r\n";

    /** {@code \n} stands for CR LF; the body is a pet of 0x1d bytes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1\nContent-Length: 29\nTransfer-Encoding: chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\nContent-Length: 4\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.0\nConnection: keep-alive\nTransfer-Encoding: chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n10000001d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n1d;a=\"\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n1d;a=\"\n\"\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n1\u0001d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n\u000b1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\nzz\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n-1\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\nffffffffffffffffff\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n0x1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\n\n\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: identity\n\n",
                "HTTP/1.1\nTransfer-Encoding: xchunked\n\n",
                "HTTP/1.1\nTransfer-Encoding: gzip, chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked;x=1\n\n",
                "HTTP/1.1\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n1d\n" + PET + "\n0\n\n",
                "HTTP/1.1\nTransfer-Encoding: \n\n",
                "HTTP/1.1\nContent-Length: 29\nContent-Length: 30\n\n" + PET,
                "HTTP/1.1\nContent-Length: +29\n\n" + PET,
                "HTTP/1.1\nContent-Length : 29\n\n" + PET,
                "HTTP/2.0\nContent-Length: 29\n\n" + PET,
                "HT&/1.1\nContent-Length: 29\n\n" + PET,
                "0HTTP/1.1\nContent-Length: 29\n\n" + PET,
                "HTTP/0.9\nContent-Length: 29\n\n" + PET
            })
    void request_whoseEndIsAmbiguous_isTheLastOfItsConnection(String rest) throws IOException {
        for (String key : new String[] {authorization, ""}) {
            assertIsLast("POST /v1/pets "
                    + rest.replace("\n", "\r\n")
                            .replaceFirst("\r\n", "\r\nHost: localhost\r\nContent-Type: application/json\r\n" + key));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0001", "\u0000\u0000", "\u000b\r\n", "\u007f"})
    void request_behindControlCharacters_isNotServed(String characters) throws IOException {
        String responses = exchange(characters + SECOND + authorization + "\r\n");
        assertTrue(responses.isEmpty() || responses.startsWith("HTTP/1.0 400 "), responses);
    }

    /** Each stream of an HTTP/2 connection could have an unread response, and a client can ignore the limit of streams. */
    @Test
    void connection_thatBeginsWithHttp2_isRefused() throws IOException {
        String responses = exchange("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        assertTrue(responses.matches("(?s)\\S+ 400 .*"), responses);
    }

    @Test
    void body_inPlainChunks_leavesTheConnectionOpen() throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            for (int i = 0; i < 2; i++) {
                RawHttp response = connection
                        .send("POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + authorization + "Transfer-Encoding: Chunked\r\n\r\n1D;a=b\r\n" + PET
                                + "\r\n0\r\n\r\n")
                        .read();
                assertEquals(201, response.status());
                assertEquals("", response.header("Connection"));
            }
        }
    }

    private void assertIsLast(String request) throws IOException {
        String responses = exchange(request + SECOND + authorization + "\r\n");
        assertTrue(responses.split("HTTP/1\\.[01] ", -1).length <= 2, responses);
        assertTrue(responses.isEmpty() || responses.matches("(?s)\\S+ 4\\d\\d .*"), responses);
    }

    /** Sends bytes, and returns everything until the service has closed the connection. */
    private String exchange(String bytes) throws IOException {
        try (KeptConnection connection = new KeptConnection(replica.port())) {
            return connection.send(bytes).readToEnd();
        }
    }
}
