package svc.management.postgres;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import svc.postgres.script.ResultRows;

/** Writes messages of a server. What is not written out waits in a small buffer; a full one waits for the client. */
final class Answers {
    private static final int FULL = 32 << 10;
    private static final int NULL = -1;
    private static final int PROTOCOL_3_0 = 3 << 16;

    private final OutputStream out;
    private final Runnable writing;
    private ByteBuf buffer = Unpooled.buffer(1024);

    /** @param writing runs before each write, which may wait for the client */
    Answers(OutputStream out, Runnable writing) {
        this.out = out;
        this.writing = writing;
    }

    /**
     * A column of an answer.
     *
     * @param binary whether its values are in PostgreSQL's binary format
     */
    record ColumnFormat(String name, int typeOid, ResultRows.Origin origin, boolean binary) {}

    void authenticationCleartextPassword() throws IOException {
        int start = begin('R');
        buffer.writeInt(3);
        end(start);
    }

    void authenticationOk() throws IOException {
        int start = begin('R');
        buffer.writeInt(0);
        end(start);
    }

    void parameterStatus(String name, String value) throws IOException {
        int start = begin('S');
        text(name);
        text(value);
        end(start);
    }

    void backendKeyData(CancelKeys.Key key) throws IOException {
        int start = begin('K');
        buffer.writeInt(key.process());
        buffer.writeInt(key.secret());
        end(start);
    }

    /**
     * Says that nothing beyond protocol 3.0 is spoken, and which options are not known. The version is written whole, as
     * PostgreSQL does, and not the minor one alone, as its documentation has it: libpq 18 refuses anything below 3.0.
     */
    void negotiateProtocolVersion(List<String> unknownOptions) throws IOException {
        int start = begin('v');
        buffer.writeInt(PROTOCOL_3_0);
        buffer.writeInt(unknownOptions.size());
        unknownOptions.forEach(this::text);
        end(start);
    }

    /** @param transaction I, T or E */
    void readyForQuery(char transaction) throws IOException {
        int start = begin('Z');
        buffer.writeByte(transaction);
        end(start);
    }

    /** A message that is nothing but its type: 1, 2, 3, n, s, I. */
    void plain(char type) throws IOException {
        end(begin(type));
    }

    void parameterDescription(List<Integer> types) throws IOException {
        int start = begin('t');
        buffer.writeShort(types.size());
        types.forEach(buffer::writeInt);
        end(start);
    }

    void rowDescription(List<ColumnFormat> columns) throws IOException {
        int start = begin('T');
        buffer.writeShort(columns.size());
        for (ColumnFormat column : columns) {
            text(column.name());
            buffer.writeInt(column.origin().table());
            buffer.writeShort(column.origin().place());
            buffer.writeInt(column.typeOid());
            buffer.writeShort(column.origin().typeLength());
            buffer.writeInt(column.origin().typeModifier());
            buffer.writeShort(column.binary() ? 1 : 0);
        }
        end(start);
    }

    void dataRow(byte[][] values) throws IOException {
        int start = begin('D');
        buffer.writeShort(values.length);
        for (byte[] value : values) {
            if (value == null) {
                buffer.writeInt(NULL);
            } else {
                buffer.writeInt(value.length);
                buffer.writeBytes(value);
            }
        }
        end(start);
    }

    /**
     * Says that rows of a COPY follow, or are awaited.
     *
     * @param type H or G
     * @param layout the content as the server has sent it
     */
    void copyResponse(char type, byte[] layout) throws IOException {
        int start = begin(type);
        buffer.writeBytes(layout);
        end(start);
    }

    /** The head of a message with rows of a COPY. @param length of its pieces together */
    void copyData(int length) {
        begin('d');
        buffer.setInt(buffer.writerIndex() - Integer.BYTES, length + Integer.BYTES);
    }

    /** A piece of the message that was begun last. @return whether the client has taken all that was sent */
    boolean copyPiece(ByteBuf in, int length) throws IOException {
        buffer.writeBytes(in, length);
        boolean full = buffer.readableBytes() > FULL;
        if (full) {
            flush();
        }
        return full;
    }

    void commandComplete(String tag) throws IOException {
        int start = begin('C');
        text(tag);
        end(start);
    }

    void error(ErrorAnswer error) throws IOException {
        fields('E', error.fields());
    }

    void notice(ErrorAnswer notice) throws IOException {
        fields('N', notice.fields());
    }

    private void fields(char type, Map<Character, String> fields) throws IOException {
        int start = begin(type);
        fields.forEach((letter, value) -> {
            buffer.writeByte(letter);
            text(value);
        });
        buffer.writeByte(0);
        end(start);
    }

    void flush() throws IOException {
        if (buffer.isReadable()) {
            writing.run();
            buffer.readBytes(out, buffer.readableBytes());
            out.flush();
        }
        buffer = buffer.capacity() > 2 * FULL ? Unpooled.buffer(1024) : buffer.clear();
    }

    private int begin(char type) {
        buffer.writeByte(type);
        int start = buffer.writerIndex();
        buffer.writeInt(0);
        return start;
    }

    private void end(int start) throws IOException {
        buffer.setInt(start, buffer.writerIndex() - start);
        if (buffer.readableBytes() > FULL) {
            flush();
        }
    }

    private void text(String text) {
        buffer.writeCharSequence(text, StandardCharsets.UTF_8);
        buffer.writeByte(0);
    }
}
