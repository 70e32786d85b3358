package svc.postgres.flush;

import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGStatement;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLState;
import svc.database.sql.SqlFragment;
import svc.postgres.Setting;

/**
 * Flushes the write-ahead log for commits that did not wait for it: a transaction that calls {@code
 * svc_functions.flush_log} and does wait. The log is one sequence, so everything committed before is flushed with it.
 */
final class WalFlush {
    /** To be called where the session's settings are the server's own. */
    static final FlushStatement STATEMENT = FlushStatement.of(SqlFragment.of("SELECT svc_functions.flush_log()"));

    /** Commits without waiting for the flush; a crash of the server may lose the transaction until the next one. */
    static final Setting WITHOUT_WAITING = Setting.of("synchronous_commit", "off");

    /** Finds the function, and the right to call it, without a call. */
    private static final String PROBE = "EXPLAIN " + STATEMENT.text().sql();

    private WalFlush() {}

    /** Whether the database has it: one that an older operator prepared has not. */
    static boolean isPrepared(PgConnection session) throws SQLException {
        try (Statement statement = session.createStatement()) {
            // A statement that the driver keeps has a name that tenants can guess.
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            return statement.execute(PROBE);
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (PSQLState.isConnectionError(state) || session.isClosed()) {
                throw e;
            }
            return false;
        }
    }
}
