package svc.management.postgres;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import svc.postgres.wire.ClientMessages;

/** A client that sends the bytes of a test. */
final class WireClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final DataInputStream in;

    /** @param from the address that it comes from */
    WireClient(int port, String from) throws IOException {
        socket = new Socket();
        socket.setReceiveBufferSize(8 << 10);
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    record Message(char type, byte[] content) {
        String text() {
            return new String(content, StandardCharsets.UTF_8).replace('\0', '|');
        }
    }

    /** Signs in; the messages up to the first ReadyForQuery, or the error. */
    List<Message> signIn(String user, String password) throws IOException {
        send(out -> out.startup(java.util.Map.of("user", user, "database", "postgres")));
        Message asked = next();
        if (asked.type() == 'E') {
            return List.of(asked);
        }
        sendRaw(typed('p', text(password)));
        return untilReady();
    }

    List<Message> query(String sql) throws IOException {
        send(out -> out.query(sql));
        return untilReady();
    }

    /** Parse, Bind, Describe, Execute, as node-postgres sends a statement. */
    void statement(String sql, String... values) throws IOException {
        ByteBuf out = Unpooled.buffer();
        new ClientMessages(out).parse("", sql);
        out.writeBytes(bind("", List.of(values), List.of(0)));
        out.writeBytes(typed('D', new byte[] {'P', 0}));
        out.writeBytes(typed('E', new byte[5]));
        sendRaw(bytes(out));
    }

    /** A Bind message for the unnamed statement, with one value in the text format. */
    static byte[] bind(String portal, String value) {
        return bind(portal, List.of(value), List.of());
    }

    /** A Bind message for the unnamed statement, with values in the text format. @param formats of the columns of its rows */
    static byte[] bind(String portal, List<String> values, List<Integer> formats) {
        ByteBuf content = Unpooled.buffer();
        content.writeBytes(text(portal)).writeBytes(text(""));
        content.writeShort(0).writeShort(values.size());
        for (String value : values) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            content.writeInt(bytes.length).writeBytes(bytes);
        }
        content.writeShort(formats.size());
        formats.forEach(content::writeShort);
        return typed('B', bytes(content));
    }

    /** An Execute message. */
    static byte[] execute(String portal, int rows) {
        return typed('E', bytes(Unpooled.buffer().writeBytes(text(portal)).writeInt(rows)));
    }

    private static byte[] text(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }

    List<Message> sync() throws IOException {
        send(ClientMessages::sync);
        return untilReady();
    }

    void send(Consumer<ClientMessages> messages) throws IOException {
        ByteBuf out = Unpooled.buffer();
        messages.accept(new ClientMessages(out));
        sendRaw(bytes(out));
    }

    static byte[] typed(char type, byte[] content) {
        return bytes(
                Unpooled.buffer().writeByte(type).writeInt(content.length + 4).writeBytes(content));
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    void sendRaw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    Message next() throws IOException {
        char type = (char) in.readUnsignedByte();
        byte[] content = new byte[in.readInt() - 4];
        in.readFully(content);
        return new Message(type, content);
    }

    /** Up to ReadyForQuery, or the end of the connection. */
    List<Message> untilReady() throws IOException {
        List<Message> messages = new ArrayList<>();
        try {
            do {
                messages.add(next());
            } while (messages.getLast().type() != 'Z');
        } catch (EOFException e) {
            return messages;
        }
        return messages;
    }

    static String types(List<Message> messages) {
        return messages.stream().map(message -> String.valueOf(message.type())).collect(Collectors.joining());
    }

    static String error(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.type() == 'E')
                .map(Message::text)
                .collect(Collectors.joining());
    }

    /** The first byte that the server sends; -1 if it closes the connection without one. */
    int firstByte() throws IOException {
        try {
            return in.read();
        } catch (java.net.SocketException e) {
            return -1;
        }
    }

    /** Sends the same again and again, and reads nothing, until the server has closed the connection; false if it does not. */
    boolean isClosedWhileSending(byte[] bytes) throws InterruptedException {
        for (int i = 0; i < 600; i++) {
            try {
                sendRaw(bytes);
            } catch (IOException e) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return false;
    }

    /** Whether the server has sent something that was not read. */
    boolean hasAnswer() throws IOException {
        return in.available() > 0;
    }

    /** Whether the server has closed the connection. */
    boolean isClosed() throws IOException {
        try {
            while (in.read() >= 0) {
                continue;
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
