package svc.postgres.jdbc;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.postgresql.jdbc.PgConnection;
import svc.postgres.pool.PoolMember;

/** A connection that is used through JDBC, by threads that may block. */
public record JdbcConnection(PgConnection jdbc) implements PoolMember {
    private static final Logger LOG = Logger.getLogger(JdbcConnection.class);
    private static final Executor SAME_THREAD = Runnable::run;

    /** Validates the connection with a round trip. */
    public boolean works(int seconds) {
        try {
            return jdbc.isValid(seconds);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void cancel() throws SQLException {
        jdbc.cancelQuery();
    }

    @Override
    public void close() {
        try {
            jdbc.close();
        } catch (SQLException e) {
            LOG.debugf(e, "while closing a connection of %s", jdbc);
        }
    }

    /** No code of a tenant's runs here, so a closed socket is the end of it. */
    @Override
    public CompletionStage<Void> abort() {
        try {
            jdbc.abort(SAME_THREAD);
        } catch (SQLException e) {
            LOG.debugf(e, "while aborting a connection of %s", jdbc);
        }
        return CompletableFuture.completedFuture(null);
    }
}
