package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import java.sql.SQLException;
import svc.platform.memory.ByteBudget;

/**
 * Receives the server's answer to one write, which consists of rounds: each ends with Sync, and a failure in one does not
 * affect the next. Called by one thread at a time.
 */
public interface Conversation {
    /**
     * A message in the order in which it came.
     *
     * @param type as in PostgreSQL's "Message Formats"
     * @param content valid during the call only
     * @throws SQLException to give up the connection
     */
    void message(char type, ByteBuf content) throws SQLException;

    /**
     * The server has answered a round.
     *
     * @param transaction {@code I} outside of a transaction, {@code T} in one, {@code E} in one that failed
     */
    void ready(char transaction);

    /**
     * Whose memory the answer takes that comes now.
     *
     * @param project that the session belongs to
     */
    default ByteBudget.Account payer(ByteBudget.Account project) {
        return project;
    }

    /** The session had ended before anything was sent. */
    void unsent(SQLException why);

    /** The connection is lost; no further call follows. */
    void broken(SQLException why);
}
