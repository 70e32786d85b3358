package svc.postgres.pool;

import java.sql.SQLException;

/** An open connection as a {@link SharedPool} sees it. */
public interface PoolMember {
    /** Cancels the running statement. Opens another connection for that, and blocks. */
    void cancel() throws SQLException;

    /** Ends the session with a Terminate message. */
    void close();

    /** Closes the connection at once, whatever it is doing. */
    void abort();
}
