package svc.server.cost;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Messages of PostgreSQL's protocol that grow, and connections that send one each: before signing in, and signed in. The
 * calling thread does all of the client's work.
 */
final class PostgresWire {
    private static final int TIMEOUT_MILLIS = 90_000;
    private static final int PROTOCOL = 3 << 16;

    /** Bytes that a silent connection keeps back; the endpoint refuses longer messages at once. */
    private static final int STARTUP_REST = 1_000;

    private final int port;
    private final String user;
    private final String password;

    PostgresWire(int port, String user, String password) {
        this.port = port;
        this.user = user;
        this.password = password;
    }

    /** What a stranger sends first. */
    Map<String, IntFunction<byte[]>> firstMessages() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        for (Shape shape : Shape.values()) {
            all.put("startup: user of " + shape, n -> startup("user\0postgres." + shape.text(n) + "\0"));
        }
        all.put("startup: a long name", n -> startup("user\0a\0" + Shape.LETTERS.text(n) + "\0b\0"));
        all.put("startup: many parameters", n -> startup("user\0a\0" + Dimension.numbered("p", "\0b\0", n)));
        all.put("startup: options", n -> startup("user\0a\0options\0" + Shape.repeat("-c a=b ", n) + "\0"));
        return all;
    }

    /** What a client sends behind the sign-in, with all types of messages. */
    Map<String, IntFunction<byte[]>> furtherMessages() {
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        for (char type : "BCDEFHPScdfpQ".toCharArray()) {
            for (Shape shape : new Shape[] {Shape.LETTERS, Shape.COMBINING_MARKS, Shape.BLANKS}) {
                all.put(
                        "message " + type + " of " + shape,
                        n -> (type == 'Q' || type == 'P')
                                ? typed(type, (type == 'P' ? "\0" : "") + "-- " + shape.text(n) + "\0\0\0")
                                : typed(type, shape.text(n) + "\0\0\0\0\0"));
            }
        }
        all.put("a statement behind a comment", n -> typed('Q', "/*" + Shape.LETTERS.text(n) + "*/select 1\0"));
        all.put("a statement behind many comments", n -> typed('Q', Shape.repeat("/**/", n) + "select 1\0"));
        all.put("Bind with many values", n -> typed('B', values(n)));
        all.put("Parse with many types", n -> typed('P', types(n)));
        all.put("many Sync", n -> many('S', n));
        all.put("many Flush", n -> many('H', n));
        return all;
    }

    private static byte[] many(char type, int bytes) {
        return Shape.repeat(type + "\0\0\0\4", bytes).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String values(int bytes) {
        int count = Math.min(bytes / 6, Short.MAX_VALUE);
        return "\0\0\0\0" + (char) (count >> 8) + (char) (count & 0xff) + "\0\0\0\1a".repeat(count) + "\0\0";
    }

    private static String types(int bytes) {
        int count = Math.min(bytes / 4, Short.MAX_VALUE);
        return "\0select 1\0" + (char) (count >> 8) + (char) (count & 0xff) + "\0\0\0\31".repeat(count);
    }

    private static byte[] startup(String parameters) {
        byte[] text = (parameters + "\0").getBytes(StandardCharsets.UTF_8);
        return bytes(
                Unpooled.buffer().writeInt(text.length + 8).writeInt(PROTOCOL).writeBytes(text));
    }

    private static byte[] typed(char type, String content) {
        byte[] text = content.getBytes(StandardCharsets.ISO_8859_1);
        return bytes(Unpooled.buffer().writeByte(type).writeInt(text.length + 4).writeBytes(text));
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    /** Sends the first message of a connection, and waits for its end. */
    void first(byte[] message) {
        exchange(out -> out.getOutputStream().write(message));
    }

    /** Signs in, sends, asks for the state, ends, and waits for the end of the connection. */
    void further(byte[] message) {
        exchange(socket -> {
            socket.getOutputStream().write(startup("user\0" + user + "\0database\0postgres\0"));
            socket.getOutputStream().write(typed('p', password + "\0"));
            awaitReady(socket);
            socket.getOutputStream().write(message);
            socket.getOutputStream().write(typed('X', ""));
        });
    }

    private static void awaitReady(Socket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        for (int type = in.readUnsignedByte(); type != 'Z'; type = in.readUnsignedByte()) {
            byte[] content = in.readNBytes(in.readInt() - 4);
            if (type == 'E') {
                throw new AssertionError("not signed in: " + new String(content, StandardCharsets.UTF_8));
            }
        }
        in.skipNBytes(in.readInt() - 4L);
    }

    /** A connection that has sent so many bytes of its first message, and not the rest. */
    static Socket silent(int port, int bytes) {
        byte[] whole = startup("user\0" + Shape.LETTERS.text(bytes + STARTUP_REST) + "\0");
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(whole, 0, bytes);
        } catch (IOException e) {
            // Closed, which is an answer.
            return socket;
        }
        return socket;
    }

    private interface Talk {
        void with(Socket socket) throws IOException;
    }

    private void exchange(Talk talk) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            talk.with(socket);
            socket.shutdownOutput();
            new BufferedInputStream(socket.getInputStream()).transferTo(java.io.OutputStream.nullOutputStream());
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("the connection stays open", e);
        } catch (IOException e) {
            // Closed with bytes left unread, which is an answer.
            return;
        }
    }
}
