package svc.postgres.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import svc.postgres.Access;
import svc.postgres.Login;
import svc.postgres.SqlError;
import svc.postgres.Statements;
import svc.postgres.pool.PoolSettings;
import svc.postgres.pool.PooledConnection;
import svc.postgres.pool.SharedPool;

/** The connections of one platform login to one database: no tenant's code ever runs on them. */
final class LoginPool implements AutoCloseable {
    /** A connection that was idle for longer is validated before it is used: the server may have been restarted. */
    private static final long TRUSTED_NANOS = 1_000_000_000L;

    private static final int TRIAL_SECONDS = 2;

    /**
     * The platform's own statements take milliseconds; a server that is stopped must hold no caller. Longer than callers wait
     * for a connection: statements behind a lock are given up after the callers that wait for their connections.
     */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(15);

    private final SharedPool<Login, JdbcConnection, Void> pool;
    private final Login login;
    private final Thread sweeper;

    public LoginPool(PoolSettings settings, Login login) {
        this.pool = new SharedPool<>(settings, known -> new JdbcConnection(known.open(ANSWER_LIMIT)));
        this.login = login;
        this.sweeper = Thread.ofVirtual().name("svc-db-idle-" + login.user()).start(() -> sweep(settings.idle()));
    }

    /** Runs statements that are committed one by one. */
    public <T> T run(Function<Statements, T> work) {
        PooledConnection<Login, JdbcConnection> lent = acquireWorking();
        boolean reusable = false;
        try {
            T result = work.apply(new ConnectionStatements(lent.connection().jdbc()));
            reusable = true;
            return result;
        } catch (SqlError e) {
            reusable = e.fromServer() && !e.connectionLost();
            throw e;
        } finally {
            release(lent, reusable);
        }
    }

    /** Runs statements that are committed together. */
    public <T> T transaction(Function<Statements, T> work) {
        PooledConnection<Login, JdbcConnection> lent = acquireWorking();
        boolean reusable = false;
        try {
            lent.connection().jdbc().setAutoCommit(false);
            T result = work.apply(new ConnectionStatements(lent.connection().jdbc()));
            lent.connection().jdbc().commit();
            lent.connection().jdbc().setAutoCommit(true);
            reusable = true;
            return result;
        } catch (SQLException e) {
            throw SqlError.of(e);
        } finally {
            // A connection whose transaction failed is discarded, so ROLLBACK needs no round trip.
            release(lent, reusable);
        }
    }

    @Override
    public void close() {
        sweeper.interrupt();
        pool.close();
    }

    private void sweep(Duration pause) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(pause);
                pool.closeIdle();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void release(PooledConnection<Login, JdbcConnection> lent, boolean reusable) {
        if (reusable) {
            pool.release(lent);
        } else {
            pool.discard(lent);
        }
    }

    private PooledConnection<Login, JdbcConnection> acquireWorking() {
        while (true) {
            PooledConnection<Login, JdbcConnection> lent = pool.acquire(login, Access.READ);
            if (lent.idleNanos() < TRUSTED_NANOS || lent.connection().works(TRIAL_SECONDS)) {
                return lent;
            }
            pool.discard(lent);
        }
    }
}
