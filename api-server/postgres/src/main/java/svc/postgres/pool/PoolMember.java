package svc.postgres.pool;

import java.sql.SQLException;
import java.util.concurrent.CompletionStage;

/** An open connection as a {@link SharedPool} sees it. */
public interface PoolMember {
    /** Cancels the running statement. Opens another connection for that, and blocks. */
    void cancel() throws SQLException;

    /** Ends the session with a Terminate message. */
    void close();

    /**
     * Closes the connection at once, whatever it is doing, and has the server end its session. May be called again.
     *
     * @return completes when the server has ended it, as far as can be known
     */
    CompletionStage<Void> abort();
}
