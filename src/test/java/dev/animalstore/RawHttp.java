package dev.animalstore;

import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The answer to a request that was sent over a connection of its own, byte for byte as given: for requests that an HTTP client would put
 * right, or refuse to send.
 *
 * @param status 0 where the server closed the connection without an answer
 * @param head the status line and the headers
 * @param body the body, in chunks where it was sent so
 */
public record RawHttp(int status, String head, String body) {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int PATIENCE_MILLIS = 500;
    private static final byte[] NO_REQUEST = "\r\n\r\nx\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String END_OF_HEAD = "\r\n\r\n";

    /** Where another answer begins: after a head or the end of some JSON, which has no line break of this kind in it. */
    private static final Pattern NEXT_ANSWER =
            Pattern.compile("(?<=[\n}\\]])(?=[^\\s}\\]]+/\\d\\.\\d \\d{3} [^\r\n]*\r\n)");

    /** Sends a request, which asks for the connection to be closed, and reads until it is. */
    public static RawHttp send(String request) {
        try (Socket socket = new Socket("localhost", RestAssured.port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return parse(readAll(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sends what need not be a request at all, and something that is none behind it, upon which a server closes the connection. One that
     * waits for the rest of a body is told that nothing follows.
     *
     * @throws SocketTimeoutException where the server neither answers nor closes the connection then
     */
    static RawHttp exchange(int port, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            // In one piece: a server that has refused the first of two and closed resets the connection upon the
            // second.
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(bytes.length + NO_REQUEST.length)
                            .put(bytes)
                            .put(NO_REQUEST)
                            .array());
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getInputStream().transferTo(answer);
            } catch (SocketTimeoutException stillOpen) {
                if (answer.size() == 0) {
                    socket.shutdownOutput();
                    socket.setSoTimeout(TIMEOUT_MILLIS);
                    socket.getInputStream().transferTo(answer);
                }
            } catch (SocketException reset) {
                // What came before counts.
            }
            return parse(answer.toString(StandardCharsets.UTF_8));
        }
    }

    /** A request without a body. */
    public static RawHttp send(String method, String target, String version, String... headers) {
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return send(
                method + " " + target + " " + version + "\r\nHost: localhost\r\nConnection: close\r\n" + more + "\r\n");
    }

    /** A request with a key and a body of a known length. */
    public static RawHttp send(String method, String target, String body, TestKey key, String... headers) {
        return send(method + " " + target
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + key.text()
                + "\r\nContent-Length: " + body.length() + "\r\n" + String.join("\r\n", headers)
                + (headers.length == 0 ? "\r\n" : "\r\n\r\n") + body);
    }

    /** The value of a header, or an empty text where it is absent. */
    public String header(String name) {
        Matcher header =
                Pattern.compile("(?im)^" + Pattern.quote(name) + ": (.*)$").matcher(head);
        return header.find() ? header.group(1).strip() : "";
    }

    /** This answer and those that followed it on the connection, each by itself. */
    List<RawHttp> each() {
        // The line break stands for the end of the head, which the next answer follows where there is no body.
        String[] bodies = NEXT_ANSWER.split("\n" + body, -1);
        return Stream.concat(
                        Stream.of(new RawHttp(status, head, bodies[0])),
                        Arrays.stream(bodies).skip(1).map(RawHttp::parse))
                .toList();
    }

    static RawHttp parse(String answer) {
        if (answer.isEmpty()) {
            return new RawHttp(0, "", "");
        }
        // The version is the request's, whatever that was.
        int status = Integer.parseInt(answer.substring(answer.indexOf(' ') + 1).substring(0, 3));
        String[] parts = answer.split(END_OF_HEAD, 2);
        return new RawHttp(status, parts[0], parts.length == 2 ? parts[1] : "");
    }

    /** A server that closes a connection on which something is still coming in resets it; what came before that counts. */
    static String readAll(InputStream in) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                answer.write(buffer, 0, count);
            }
        } catch (SocketException reset) {
            if (answer.size() == 0) {
                throw reset;
            }
        }
        return answer.toString(StandardCharsets.UTF_8);
    }
}
