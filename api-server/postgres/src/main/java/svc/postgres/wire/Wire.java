package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;
import svc.platform.memory.ByteBudget;

/**
 * An open session with a server, for one conversation at a time. Each conversation learns of its end, whatever happens to
 * the connection.
 */
public abstract class Wire {
    private static final String ENCODING = "client_encoding";
    private static final String UTF8 = "UTF8";

    private final AnswerLimit answer;
    private final ServerMessages messages;
    private final AtomicReference<Conversation> current = new AtomicReference<>();
    private volatile SQLException ended;
    private volatile boolean notified;
    private volatile boolean aborted;
    private volatile boolean endedByServer;

    /** Rounds without an answer yet; set before the write, then changed by the thread that reads. */
    private volatile int pendingRounds;

    /**
     * @param maxAnswerBytes larger answers end the session
     * @param memory of the project; an answer that gets none ends the session, too
     */
    Wire(long maxAnswerBytes, ByteBudget.Account memory) {
        this.answer = new AnswerLimit(maxAnswerBytes, () -> payer(memory));
        this.messages = new ServerMessages(answer, this::message);
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
            answer.restart();
            pendingRounds = rounds;
            write(written);
            return;
        }
        written.release();
        if (current.compareAndSet(conversation, null)) {
            conversation.unsent(over);
        }
    }

    /** Whether the session is open and no notification has arrived, which only a tenant's LISTEN can cause. */
    public final boolean clean() {
        return ended == null && !notified;
    }

    /** Ends the session with a Terminate message. */
    public abstract void close();

    /** Closes the connection at once. */
    public final void abort() {
        aborted = true;
        disconnect();
    }

    abstract void disconnect();

    /** Whether the server closed the connection, and not this side. */
    public final boolean endedByServer() {
        return endedByServer;
    }

    /** Nothing more comes from the server; called by the thread that reads. */
    final void endOfStream() {
        endedByServer = !aborted;
        fail(new IOException("the server closed the connection"));
    }

    abstract void write(ByteBuf written);

    /** Takes what the server sent; called by the thread that reads. */
    final void received(ByteBuf in) {
        try {
            messages.takeAll(in);
        } catch (SQLException e) {
            fail(e);
            abort();
        } catch (RuntimeException e) {
            fail(new PSQLException("the server violated the protocol", PSQLState.CONNECTION_FAILURE, e));
            abort();
        }
    }

    /** Marks the connection as lost; the first reason is kept. */
    final void fail(SQLException why) {
        synchronized (this) {
            if (ended == null) {
                ended = why;
            }
        }
        answer.release();
        Conversation left = current.getAndSet(null);
        if (left != null) {
            left.broken(ended);
        }
    }

    final void fail(IOException why) {
        fail(new PSQLException("the connection to the server broke", PSQLState.CONNECTION_FAILURE, why));
    }

    /** An error as the server sends it. */
    public static PSQLException error(ByteBuf content) {
        return new PSQLException(new ServerErrorMessage(content.toString(StandardCharsets.UTF_8)));
    }

    /**
     * Whether the server ends the session with this error and skips the rest of the write. Decided by the field V, the
     * severity that is never translated; code of a tenant cannot raise FATAL.
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

    static ByteBuf terminateMessage() {
        ByteBuf out = Unpooled.buffer(8);
        new ClientMessages(out).terminate();
        return out;
    }

    private void message(char type, ByteBuf content) throws SQLException {
        switch (type) {
            case 'N' -> {}
            case 'A' -> notified = true;
            case 'S' -> requireUtf8(content);
            case 'Z' -> ready((char) content.readUnsignedByte());
            case 'E' -> {
                Conversation listening = current.get();
                if (listening != null) {
                    listening.message(type, content);
                } else {
                    // Without a request: the reason for which the server closes the connection.
                    fail(error(content));
                }
            }
            case 'G', 'H', 'W' ->
                throw new PSQLException("no data is copied over this connection", PSQLState.CONNECTION_FAILURE);
            default -> inConversation(current.get()).message(type, content);
        }
    }

    private ByteBudget.Account payer(ByteBudget.Account project) {
        Conversation listening = current.get();
        return listening == null ? project : listening.payer(project);
    }

    private void ready(char transaction) throws SQLException {
        pendingRounds--;
        answer.restart();
        inConversation(pendingRounds > 0 ? current.get() : current.getAndSet(null))
                .ready(transaction);
    }

    private static Conversation inConversation(Conversation listening) throws SQLException {
        if (listening == null) {
            throw new PSQLException("the server sent an answer without a request", PSQLState.CONNECTION_FAILURE);
        }
        return listening;
    }

    /** Everything read and written here is UTF-8; code of a tenant can change the session's encoding. */
    private static void requireUtf8(ByteBuf content) throws SQLException {
        Optional<String> changed = ParameterStatus.read(content)
                .filter(parameter -> parameter.name().equals(ENCODING))
                .map(ParameterStatus::value)
                .filter(value -> !value.equals(UTF8));
        if (changed.isPresent()) {
            throw new PSQLException("client_encoding was changed to " + changed.get(), PSQLState.CONNECTION_FAILURE);
        }
    }
}
