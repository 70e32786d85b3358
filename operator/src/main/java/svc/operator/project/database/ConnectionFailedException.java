package svc.operator.project.database;

import java.sql.SQLException;

/**
 * No connection to a server that a tenant named. The reason is for the log alone: in a condition it would tell the tenant
 * which hosts and ports of the platform's network answer, and how.
 */
public final class ConnectionFailedException extends SQLException {
    private static final long serialVersionUID = 1L;

    public ConnectionFailedException(SQLException cause) {
        super("while connecting to a project's server: " + cause.getMessage(), cause.getSQLState(), cause);
    }
}
