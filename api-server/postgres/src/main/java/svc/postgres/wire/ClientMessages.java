package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Appends messages of a client (PostgreSQL's protocol 3.0) to a buffer, to be sent in one write. All values are text in
 * UTF-8. Names and statements must not contain NUL, which would end them.
 */
public final class ClientMessages {
    /** Values of one statement: their number travels in 16 bits. */
    public static final int MAX_VALUES = 65_535;

    private static final int PROTOCOL = 3 << 16;
    private static final int CANCEL_REQUEST = 80_877_102;
    private static final int SSL_REQUEST = 80_877_103;
    private static final int NULL = -1;

    private final ByteBuf out;

    /** @param out to which is appended */
    public ClientMessages(ByteBuf out) {
        this.out = out;
    }

    /** Asks whether the server speaks TLS; its answer is one byte and no message. */
    public void sslRequest() {
        int start = beginUntyped();
        out.writeInt(SSL_REQUEST);
        end(start);
    }

    /** Begins a session. */
    public void startup(Map<String, String> parameters) {
        int start = beginUntyped();
        out.writeInt(PROTOCOL);
        parameters.forEach((name, value) -> {
            text(name);
            text(value);
        });
        out.writeByte(0);
        end(start);
    }

    /** Asks to cancel what another session runs; the first and only message of its connection. */
    public void cancelRequest(int backend, int key) {
        int start = beginUntyped();
        out.writeInt(CANCEL_REQUEST);
        out.writeInt(backend);
        out.writeInt(key);
        end(start);
    }

    /** Chooses a SASL mechanism and sends its first message. */
    public void saslInitialResponse(String mechanism, String first) {
        int start = begin('p');
        text(mechanism);
        out.writeInt(ByteBufUtil.utf8Bytes(first));
        out.writeCharSequence(first, StandardCharsets.UTF_8);
        end(start);
    }

    /** Sends a further message of a SASL mechanism. */
    public void saslResponse(String message) {
        int start = begin('p');
        out.writeCharSequence(message, StandardCharsets.UTF_8);
        end(start);
    }

    /** Runs a text of any number of statements, by the simple query protocol. */
    public void query(String sql) {
        int start = begin('Q');
        text(sql);
        end(start);
    }

    /** Prepares a statement under a name, or under none, with the types of its parameters left to the server. */
    public void parse(String name, String sql) {
        parse(name, sql, List.of());
    }

    /** The same with the types of its first parameters, of {@code pg_type}; 0 leaves one to the server. */
    public void parse(String name, String sql, List<Integer> types) {
        int start = begin('P');
        text(name);
        text(sql);
        out.writeShort(types.size());
        types.forEach(out::writeInt);
        end(start);
    }

    /** Asks for the types of a prepared statement's parameters and for its columns. */
    public void describeStatement(String name) {
        int start = begin('D');
        out.writeByte('S');
        text(name);
        end(start);
    }

    /**
     * A value of a Bind message.
     *
     * @param bytes in its format; null for SQL's null
     */
    public record BoundBytes(boolean binary, byte[] bytes) {}

    /**
     * Gives a prepared statement its values and runs it to its end. Its rows come without a description.
     *
     * @param values at most {@link #MAX_VALUES}
     * @param formats of the columns of its rows: none for text, one for all, or one for each
     */
    public void bindAndExecute(String name, List<BoundBytes> values, List<Integer> formats) {
        int start = begin('B');
        out.writeByte(0);
        text(name);
        out.writeShort(values.size());
        values.forEach(value -> out.writeShort(value.binary() ? 1 : 0));
        out.writeShort(values.size());
        for (BoundBytes value : values) {
            if (value.bytes() == null) {
                out.writeInt(NULL);
            } else {
                out.writeInt(value.bytes().length);
                out.writeBytes(value.bytes());
            }
        }
        out.writeShort(formats.size());
        formats.forEach(out::writeShort);
        end(start);
        executeToItsEnd();
    }

    private void executeToItsEnd() {
        int start = begin('E');
        out.writeByte(0);
        out.writeInt(0);
        end(start);
    }

    /**
     * Gives a prepared statement its values and runs it to its end. Its rows come as text and without a description.
     *
     * @param values at most {@link #MAX_VALUES}, null for SQL's null
     */
    public void bindAndExecute(String name, List<String> values) {
        int start = begin('B');
        out.writeByte(0);
        text(name);
        out.writeShort(0);
        out.writeShort(values.size());
        for (String value : values) {
            if (value == null) {
                out.writeInt(NULL);
            } else {
                int length = out.writerIndex();
                out.writeInt(0);
                out.setInt(length, ByteBufUtil.writeUtf8(out, value));
            }
        }
        out.writeShort(0);
        end(start);
        executeToItsEnd();
    }

    /** Deallocates a prepared statement. */
    public void closeStatement(String name) {
        int start = begin('C');
        out.writeByte('S');
        text(name);
        end(start);
    }

    /** Sends rows of a COPY … FROM STDIN, cut anywhere. */
    public void copyData(byte[] rows) {
        int start = begin('d');
        out.writeBytes(rows);
        end(start);
    }

    /** All rows of a COPY … FROM STDIN were sent. */
    public void copyDone() {
        end(begin('c'));
    }

    /** Refuses to send the rows of a COPY … FROM STDIN. */
    public void copyFail(String reason) {
        int start = begin('f');
        text(reason);
        end(start);
    }

    /** Ends a round of the extended query protocol; after an error the server skips to here. */
    public void sync() {
        end(begin('S'));
    }

    /** Ends the session. */
    void terminate() {
        end(begin('X'));
    }

    private int begin(char type) {
        out.writeByte(type);
        return beginUntyped();
    }

    private int beginUntyped() {
        int start = out.writerIndex();
        out.writeInt(0);
        return start;
    }

    private void end(int start) {
        out.setInt(start, out.writerIndex() - start);
    }

    private void text(String text) {
        out.writeCharSequence(text, StandardCharsets.UTF_8);
        out.writeByte(0);
    }
}
