package svc.postgres.wire;

import io.netty.buffer.ByteBuf;
import java.sql.SQLException;

/**
 * Hears what the server answers to one write, which is in rounds: each ends with Sync, and what fails in one does not touch
 * the next. Called by one thread at a time.
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
     * The server is done with a round.
     *
     * @param transaction {@code I} outside of a transaction, {@code T} in one, {@code E} in one that failed
     */
    void ready(char transaction);

    /** The session was over before anything was sent. */
    void unsent(SQLException why);

    /** The connection is gone, and nothing more comes. */
    void broken(SQLException why);
}
