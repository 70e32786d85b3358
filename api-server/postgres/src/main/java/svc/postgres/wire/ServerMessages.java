package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Cuts what comes from a server into messages. Neither what it announces nor what nobody reads takes memory before it is
 * there: a server may be of a tenant's choice.
 */
final class ServerMessages {
    /** program_limit_exceeded */
    private static final String TOO_LARGE = "54000";

    private static final int HEAD = 5;
    private static final int LENGTH_BYTES = 4;
    private static final int FIRST_PIECE = 1 << 16;

    /** Notices, of which a function can raise a million, and descriptions of rows. */
    private static final String UNREAD = "NTtn";

    private final long mostBytes;
    private final Sink sink;
    private final ByteBuf head = Unpooled.buffer(HEAD, HEAD);
    private ByteBuf content = Unpooled.EMPTY_BUFFER;
    private char type;
    private int missing;
    private long received;

    /** Takes one whole message. */
    @FunctionalInterface
    interface Sink {
        void message(char type, ByteBuf content) throws SQLException;
    }

    /** @param mostBytes most bytes of rows and errors between two calls of {@link #restart} */
    ServerMessages(long mostBytes, Sink sink) {
        this.mostBytes = mostBytes;
        this.sink = sink;
    }

    /** Another answer begins. */
    void restart() {
        received = 0;
    }

    /**
     * Takes all that has come, and passes on each message that is whole with it.
     *
     * @throws SQLException for what is no message, and for more than is allowed (54000)
     */
    void take(ByteBuf in) throws SQLException {
        while (in.isReadable()) {
            if (missing > 0) {
                addTo(in);
                continue;
            }
            if (!readHead(in)) {
                return;
            }
            int length = head.getInt(1) - LENGTH_BYTES;
            type = (char) head.getUnsignedByte(0);
            admit(length);
            if (length <= in.readableBytes()) {
                head.clear();
                sink.message(type, in.readSlice(length));
            } else {
                missing = length;
                content = unread() ? Unpooled.EMPTY_BUFFER : Unpooled.buffer(Math.min(length, FIRST_PIECE), length);
            }
        }
    }

    private boolean unread() {
        return UNREAD.indexOf(type) >= 0;
    }

    private boolean readHead(ByteBuf in) {
        in.readBytes(head, Math.min(head.writableBytes(), in.readableBytes()));
        return !head.isWritable();
    }

    private void admit(int length) throws SQLException {
        if (length < 0) {
            throw new PSQLException("the server sent a message of negative length", PSQLState.CONNECTION_FAILURE);
        }
        if (!unread()) {
            received += length;
            if (received > mostBytes) {
                throw new SQLException("the answer is larger than " + (mostBytes >> 20) + "M", TOO_LARGE);
            }
        }
    }

    private void addTo(ByteBuf in) throws SQLException {
        int piece = Math.min(missing, in.readableBytes());
        if (unread()) {
            in.skipBytes(piece);
        } else {
            if (content.writableBytes() < piece) {
                content.capacity(Math.min(
                        content.maxCapacity(), Math.max(2 * content.capacity(), content.writerIndex() + piece)));
            }
            content.writeBytes(in, piece);
        }
        missing -= piece;
        if (missing == 0) {
            ByteBuf whole = content;
            content = Unpooled.EMPTY_BUFFER;
            head.clear();
            sink.message(type, whole);
        }
    }
}
