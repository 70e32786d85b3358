package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/**
 * An open session with a server, for one conversation at a time. Whatever happens to the connection, each conversation
 * that was begun hears of its end.
 */
public abstract class Wire {
    private static final String ENCODING = "client_encoding";
    private static final String UTF8 = "UTF8";

    private final ServerMessages messages;
    private final AtomicReference<Conversation> current = new AtomicReference<>();
    private volatile SQLException ended;
    private volatile boolean notified;

    /** Rounds that the server has not ended; written before the write, and then by the thread that reads. */
    private volatile int toCome;

    /** @param mostBytes of one answer */
    Wire(long mostBytes) {
        this.messages = new ServerMessages(mostBytes, this::message);
    }

    /**
     * Sends what is written, and gives the answers to {@code conversation}. Does not block.
     *
     * @param written ends with Sync; released here
     * @param rounds how many times there is Sync in it
     */
    public final void exchange(ByteBuf written, int rounds, Conversation conversation) {
        if (!current.compareAndSet(null, conversation)) {
            written.release();
            throw new IllegalStateException("a connection has one conversation at a time");
        }
        SQLException over = ended;
        if (over == null) {
            messages.restart();
            toCome = rounds;
            write(written);
            return;
        }
        written.release();
        if (current.compareAndSet(conversation, null)) {
            conversation.unsent(over);
        }
    }

    /** Whether the session is open, and nothing arrived that only a LISTEN of a tenant's code can cause. */
    public final boolean clean() {
        return ended == null && !notified;
    }

    /** Ends the session in order. */
    public abstract void close();

    /** Cuts the connection. */
    public abstract void abort();

    abstract void write(ByteBuf written);

    /** Takes what the server sent; called by the thread that reads. */
    final void received(ByteBuf in) {
        try {
            messages.take(in);
        } catch (SQLException e) {
            over(e);
            abort();
        } catch (RuntimeException e) {
            over(new PSQLException("the server does not speak as agreed", PSQLState.CONNECTION_FAILURE, e));
            abort();
        }
    }

    /** The connection is gone; the first reason counts. */
    final void over(SQLException why) {
        synchronized (this) {
            if (ended == null) {
                ended = why;
            }
        }
        Conversation left = current.getAndSet(null);
        if (left != null) {
            left.broken(ended);
        }
    }

    final void over(IOException why) {
        over(new PSQLException("the connection to the server broke", PSQLState.CONNECTION_FAILURE, why));
    }

    /** An error as the server sends it. */
    public static PSQLException error(ByteBuf content) {
        return new PSQLException(new ServerErrorMessage(content.toString(StandardCharsets.UTF_8)));
    }

    /**
     * Whether the server ends the session with this error: what stands behind it in the same write will not be read. It is
     * told by the severity that no language of the server's changes (V), and no code of a tenant's can raise.
     */
    public static boolean endsSession(ByteBuf content) {
        for (int at = content.readerIndex(); at < content.writerIndex() && content.getByte(at) != 0; ) {
            int end = content.indexOf(at, content.writerIndex(), (byte) 0);
            if (end < 0) {
                return false;
            }
            if (content.getByte(at) == 'V') {
                String severity = content.toString(at + 1, end - at - 1, StandardCharsets.UTF_8);
                return severity.equals("FATAL") || severity.equals("PANIC");
            }
            at = end + 1;
        }
        return false;
    }

    static ByteBuf farewell() {
        ByteBuf out = Unpooled.buffer(8);
        new ClientMessages(out).terminate();
        return out;
    }

    private void message(char type, ByteBuf content) throws SQLException {
        switch (type) {
            case 'N' -> {}
            case 'A' -> notified = true;
            case 'S' -> heed(content);
            case 'Z' -> ready((char) content.readUnsignedByte());
            case 'E' -> {
                Conversation listening = current.get();
                if (listening != null) {
                    listening.message(type, content);
                } else {
                    // Said to nobody: why the server is about to close the connection.
                    over(error(content));
                }
            }
            case 'G', 'H', 'W' ->
                throw new PSQLException("no data is copied over this connection", PSQLState.CONNECTION_FAILURE);
            default -> inConversation(current.get()).message(type, content);
        }
    }

    private void ready(char transaction) throws SQLException {
        toCome--;
        messages.restart();
        inConversation(toCome > 0 ? current.get() : current.getAndSet(null)).ready(transaction);
    }

    private static Conversation inConversation(Conversation listening) throws SQLException {
        if (listening == null) {
            throw new PSQLException("the server answers what nobody asked", PSQLState.CONNECTION_FAILURE);
        }
        return listening;
    }

    /** All that is read and written here is UTF-8, which code of a tenant can change. */
    private static void heed(ByteBuf setting) throws SQLException {
        String[] parts = setting.toString(StandardCharsets.UTF_8).split("\0", -1);
        if (parts.length > 1 && parts[0].equals(ENCODING) && !parts[1].equals(UTF8)) {
            throw new PSQLException("client_encoding was changed to " + parts[1], PSQLState.CONNECTION_FAILURE);
        }
    }
}
