package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Cuts what a server sends into messages, for event loops and for blocking readers. A message takes memory only as its
 * bytes arrive, and only if its content is read at all: the length in its head is not trusted, because a tenant may have
 * chosen the server.
 */
public final class ServerMessages {
    private static final int HEAD = 5;
    private static final int LENGTH_BYTES = 4;
    private static final int FIRST_PIECE = 1 << 16;

    private final ContentPolicy policy;
    private final Sink sink;
    private final ByteBuf head = Unpooled.buffer(HEAD, HEAD);
    private ByteBuf whole = Unpooled.EMPTY_BUFFER;
    private Content content = Content.SKIPPED;
    private char type;
    private int missing;

    /** Receives each message when it is complete. */
    @FunctionalInterface
    public interface Sink {
        /**
         * @param type as in PostgreSQL's "Message Formats"
         * @param content valid during the call only; empty unless the policy asked for the {@link Content#WHOLE} of it
         */
        void message(char type, ByteBuf content) throws SQLException;
    }

    /** Decides from a message's head what becomes of its content. */
    @FunctionalInterface
    public interface ContentPolicy {
        /** @throws SQLException to give up the connection */
        Content of(char type, int length) throws SQLException;
    }

    /** What becomes of the content of one message. */
    public sealed interface Content {
        /** Drops the content. */
        Content SKIPPED = new Skipped();

        /** Collects the content and passes it to {@link Sink#message}. */
        Content WHOLE = new Whole();
    }

    private record Skipped() implements Content {}

    private record Whole() implements Content {}

    /** Receives the content in pieces, as they arrive. */
    public non-sealed interface Pieces extends Content {
        /** Reads exactly {@code length} bytes. */
        void piece(ByteBuf in, int length);
    }

    public ServerMessages(ContentPolicy policy, Sink sink) {
        this.policy = policy;
        this.sink = sink;
    }

    /**
     * Reads everything that has arrived, and passes on each message that is complete with it.
     *
     * @throws SQLException for bytes that are no message, and what the policy or the sink throws
     */
    public void takeAll(ByteBuf in) throws SQLException {
        while (next(in)) {
            continue;
        }
    }

    /**
     * Reads until one message is complete and passes it on.
     *
     * @return false when more bytes are needed; {@code in} is read to its end then
     */
    public boolean next(ByteBuf in) throws SQLException {
        if (missing == 0) {
            if (!readHead(in)) {
                return false;
            }
            if (missing <= in.readableBytes()) {
                deliver(in);
                return true;
            }
            whole = content instanceof Whole
                    ? Unpooled.buffer(Math.min(missing, FIRST_PIECE), missing)
                    : Unpooled.EMPTY_BUFFER;
        }
        return addPiece(in);
    }

    /** Reads the head, if all of it is there, and asks the policy. */
    private boolean readHead(ByteBuf in) throws SQLException {
        in.readBytes(head, Math.min(head.writableBytes(), in.readableBytes()));
        if (head.isWritable()) {
            return false;
        }
        type = (char) head.getUnsignedByte(0);
        int length = head.getInt(1) - LENGTH_BYTES;
        head.clear();
        if (length < 0) {
            throw new PSQLException("the server sent a message of negative length", PSQLState.CONNECTION_FAILURE);
        }
        content = policy.of(type, length);
        missing = length;
        return true;
    }

    /** The usual case: all of the content has arrived with the head, and nothing is copied. */
    private void deliver(ByteBuf in) throws SQLException {
        int length = missing;
        missing = 0;
        if (content instanceof Whole) {
            sink.message(type, in.readSlice(length));
        } else {
            pass(in, length);
            sink.message(type, Unpooled.EMPTY_BUFFER);
        }
    }

    private boolean addPiece(ByteBuf in) throws SQLException {
        int piece = Math.min(missing, in.readableBytes());
        if (content instanceof Whole) {
            if (whole.writableBytes() < piece) {
                whole.capacity(
                        Math.min(whole.maxCapacity(), Math.max(2 * whole.capacity(), whole.writerIndex() + piece)));
            }
            whole.writeBytes(in, piece);
        } else {
            pass(in, piece);
        }
        missing -= piece;
        if (missing > 0) {
            return false;
        }
        ByteBuf complete = whole;
        whole = Unpooled.EMPTY_BUFFER;
        sink.message(type, complete);
        return true;
    }

    private void pass(ByteBuf in, int length) {
        if (content instanceof Pieces pieces) {
            pieces.piece(in, length);
        } else {
            in.skipBytes(length);
        }
    }
}
