package svc.postgres.flush;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.postgresql.PGStatement;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLState;
import svc.postgres.termination.Backend;

/**
 * What a new session finds in its database: one that an older operator prepared lacks some of it.
 *
 * @param flushesLog whether there is what {@link WalFlush} needs
 * @param backend how the session can be ended in the server; empty when it cannot
 */
record PreparedDatabase(boolean flushesLog, Optional<Backend> backend) {
    private static final String BEGAN = "SELECT svc_functions.session_began()";

    /** Asks in one round trip. */
    static PreparedDatabase of(PgConnection session, String login) throws SQLException {
        try (Statement statement = unnamed(session)) {
            statement.execute(BEGAN + ";" + WalFlush.PROBE);
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return new PreparedDatabase(
                        true, Optional.of(new Backend(session.getBackendPID(), row.getLong(1), login)));
            }
        } catch (SQLException e) {
            throwIfLost(session, e);
            return new PreparedDatabase(flushesLog(session), Optional.empty());
        }
    }

    private static boolean flushesLog(PgConnection session) throws SQLException {
        try (Statement statement = unnamed(session)) {
            return statement.execute(WalFlush.PROBE);
        } catch (SQLException e) {
            throwIfLost(session, e);
            return false;
        }
    }

    /** A statement that the driver keeps has a name that tenants can guess. */
    private static Statement unnamed(PgConnection session) throws SQLException {
        Statement statement = session.createStatement();
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        return statement;
    }

    private static void throwIfLost(PgConnection session, SQLException why) throws SQLException {
        if (PSQLState.isConnectionError(why.getSQLState()) || session.isClosed()) {
            throw why;
        }
    }
}
