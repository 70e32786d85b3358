package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the messages of the extended query protocol one behind the other, to be sent in one write. All values are text in
 * UTF-8; what a name or a statement is made of has no NUL.
 */
public final class ClientMessages {
    /** Most values of one statement: their number travels in 16 bits. */
    public static final int MAX_VALUES = 65_535;

    private static final int NULL = -1;

    private final ByteBuf out;

    /** @param out to which is appended */
    public ClientMessages(ByteBuf out) {
        this.out = out;
    }

    /** Prepares a statement under a name, or under none, with the types of its parameters left to the server. */
    public void parse(String name, String sql) {
        int start = begin('P');
        text(name);
        text(sql);
        out.writeShort(0);
        end(start);
    }

    /**
     * Gives a prepared statement its values and runs it to its end. Its rows come as text and without a description.
     *
     * @param values at most {@link #MAX_VALUES}, null for SQL's null
     */
    public void run(String name, List<String> values) {
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
        start = begin('E');
        out.writeByte(0);
        out.writeInt(0);
        end(start);
    }

    /** Forgets a prepared statement. */
    public void forget(String name) {
        int start = begin('C');
        out.writeByte('S');
        text(name);
        end(start);
    }

    /** Ends what is to be answered together; after an error the server goes on behind it. */
    public void sync() {
        end(begin('S'));
    }

    /** Ends the session. */
    void terminate() {
        end(begin('X'));
    }

    private int begin(char type) {
        out.writeByte(type);
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
