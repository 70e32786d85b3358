package svc.postgres.pool;

import java.sql.SQLException;

/** What a {@link SharedPool} holds: something that is open. */
public interface PoolMember {
    /** Asks the server to stop what it is doing for this session. Opens a connection for that, and blocks. */
    void cancel() throws SQLException;

    /** Ends the session in order. */
    void close();

    /** Cuts the connection, whatever it is doing. */
    void abort();
}
