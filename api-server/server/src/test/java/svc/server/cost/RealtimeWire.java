package svc.server.cost;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;

/** A WebSocket of the realtime protocol 2.0.0, of which the calling thread does all of the client's work. */
final class RealtimeWire implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 90_000;
    private static final int TEXT = 0x81;
    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int CLOSE = 8;
    private static final int EXTENDED = 126;
    private static final int EXTENDED_LONG = 127;
    private static final int MAX_EXTENDED = 0xffff;

    /** Answered behind all that was sent before. */
    private static final byte[] HEARTBEAT =
            "[null,\"behind\",\"phoenix\",\"heartbeat\",{}]".getBytes(StandardCharsets.UTF_8);

    /** What a message is answered with. */
    private static final List<String> ENDS = List.of("\"phx_reply\"", "\"phx_close\"", "\"phx_error\"");

    private final String host;
    private final String key;
    private Socket socket;
    private DataInputStream in;

    RealtimeWire(String host, String key) {
        this.host = host;
        this.key = key;
    }

    /** Sends a text frame on a new socket, and waits until it was handled. */
    void send(byte[] text) {
        try {
            open();
            frame(text);
            frame(HEARTBEAT);
            while (true) {
                String received = received();
                if (received == null || received.contains("\"behind\"")) {
                    return;
                }
            }
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("no answer to a frame of " + text.length + " bytes", e);
        } catch (IOException e) {
            // The server has closed the socket, which is an answer.
            return;
        } finally {
            close();
        }
    }

    void open() throws IOException {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        socket = new Socket();
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        socket.getOutputStream()
                .write(("GET /realtime/v1/websocket?vsn=2.0.0&apikey=" + key + " HTTP/1.1\r\nHost: " + host
                                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new AssertionError(head.toString());
        }
    }

    /** Waits for so many replies, or ends of channels, or until the server has closed the socket. */
    void awaitReplies(int count) throws IOException {
        for (int replies = 0; replies < count; ) {
            String next = received();
            if (next == null) {
                return;
            }
            replies += ENDS.stream().anyMatch(next::contains) ? 1 : 0;
        }
    }

    /** A whole message. */
    void frame(byte[] text) throws IOException {
        frame(TEXT, text.length, text);
    }

    /** The first frame of a message, which more have to follow. */
    void first(byte[] text) throws IOException {
        frame(TEXT & ~FINAL, text.length, text);
    }

    /** A frame of which the second half is missing. */
    void half(byte[] text) throws IOException {
        frame(TEXT, 2L * text.length, text);
    }

    /** Masked with zeros, which leaves the text as it is. */
    private void frame(int kind, long length, byte[] text) throws IOException {
        var out = new ByteArrayOutputStream(text.length + 14);
        out.write(kind);
        // In as few bytes as it takes: any other form is a violation of the protocol, which closes the socket.
        int bytes = length < EXTENDED ? 0 : length <= MAX_EXTENDED ? 2 : 8;
        out.write(MASKED | (bytes == 0 ? (int) length : bytes == 2 ? EXTENDED : EXTENDED_LONG));
        for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8) {
            out.write((int) (length >> shift) & 0xff);
        }
        out.write(new byte[4]);
        out.write(text);
        socket.getOutputStream().write(out.toByteArray());
    }

    /** The next frame; null for that which closes. */
    private String received() throws IOException {
        int kind = in.readUnsignedByte() & 0xf;
        long length = in.readUnsignedByte();
        if (length == EXTENDED) {
            length = in.readUnsignedShort();
        } else if (length == EXTENDED_LONG) {
            length = in.readLong();
        }
        byte[] content = new byte[(int) length];
        in.readFully(content);
        return kind == CLOSE ? null : new String(content, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("while closing", e);
        }
    }
}
