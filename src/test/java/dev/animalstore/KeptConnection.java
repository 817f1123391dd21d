package dev.animalstore;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A connection that carries one request after the other, byte for byte as given, and tells when the server has closed it. */
final class KeptConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final Socket socket;
    private final InputStream in;

    KeptConnection(int port) throws IOException {
        this(port, 64 * 1024);
    }

    /** A connection whose client takes only so much of what it does not read. */
    KeptConnection(int port, int receiveBufferBytes) throws IOException {
        socket = new Socket();
        socket.setReceiveBufferSize(receiveBufferBytes);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = socket.getInputStream();
    }

    /** Opens connections on which only that was sent, and which wait for 30 s when they are read. */
    static List<KeptConnection> open(int count, int port, String begin) throws IOException {
        List<KeptConnection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KeptConnection connection = new KeptConnection(port).send(begin);
            connection.awaitUpTo(Duration.ofSeconds(30));
            connections.add(connection);
        }
        return connections;
    }

    static void closeAll(List<KeptConnection> connections) throws IOException {
        for (KeptConnection connection : connections) {
            connection.close();
        }
    }

    /** Sends all of it before anything is read. */
    KeptConnection send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /**
     * Reads one response, whose length is declared.
     *
     * @throws java.net.SocketTimeoutException if none comes within five seconds
     */
    RawHttp read() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        String head = "";
        while (!head.endsWith(END_OF_HEAD)) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("The connection is closed after: " + head);
            }
            read.write(next);
            head = read.toString(StandardCharsets.ISO_8859_1);
        }
        RawHttp response = RawHttp.parse(head);
        String length = response.header("Content-Length");
        byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
        return new RawHttp(response.status(), response.head(), new String(body, StandardCharsets.UTF_8));
    }

    /** Whether anything was received that has not been read. */
    boolean hasReceived() throws IOException {
        return in.available() > 0;
    }

    /** Tells the server that nothing more will be sent, but still receives. */
    KeptConnection endOutput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Closes the connection by a reset, whatever is still to be sent or received. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Lets later reads wait that long. */
    void awaitUpTo(Duration time) throws IOException {
        socket.setSoTimeout((int) time.toMillis());
    }

    /** Waits until the server has closed its half, and returns what came before that. */
    String readToEnd() throws IOException {
        return RawHttp.readAll(in);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
