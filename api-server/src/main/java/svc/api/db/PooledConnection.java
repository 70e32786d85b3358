package svc.api.db;

import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.postgresql.jdbc.PgConnection;

/** One open connection of a {@link SharedPool}. All fields but the connection itself are guarded by the pool's lock. */
final class PooledConnection<K> {
    private static final Logger LOG = Logger.getLogger(PooledConnection.class);
    private static final Executor SAME_THREAD = Runnable::run;

    private final K key;
    private final PgConnection connection;
    private final long openedNanos;
    long usedNanos;
    boolean retired;

    PooledConnection(K key, PgConnection connection) {
        this.key = key;
        this.connection = connection;
        this.openedNanos = System.nanoTime();
        this.usedNanos = openedNanos;
    }

    K key() {
        return key;
    }

    PgConnection connection() {
        return connection;
    }

    long ageNanos() {
        return System.nanoTime() - openedNanos;
    }

    long idleNanos() {
        return System.nanoTime() - usedNanos;
    }

    /** Ends the session in order. */
    void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debugf(e, "while closing a connection of %s", key);
        }
    }

    /** Cuts the socket, whatever the connection is doing. */
    void abort() {
        try {
            connection.abort(SAME_THREAD);
        } catch (SQLException e) {
            LOG.debugf(e, "while cutting a connection of %s", key);
        }
    }
}
