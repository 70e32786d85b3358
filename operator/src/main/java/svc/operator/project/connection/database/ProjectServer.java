package svc.operator.project.connection.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import javax.net.ssl.SSLException;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import svc.database.socket.BoundedSockets;
import svc.database.socket.SocketLimits;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecret.Login;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;

/**
 * Connections to a database server that the project's owner chose. Not pooled: a converged project needs one connection per
 * drift interval. Timeouts are short, because the server may not answer.
 */
public final class ProjectServer {
    private static final int CONNECT_TIMEOUT_SECONDS = 5;
    /** Longer than the statement timeout of anything sent here. */
    private static final int SOCKET_TIMEOUT_SECONDS = 120;

    /**
     * The facts of a project are some hundred kilobytes; a server that sends without end, or a byte now and then, must keep
     * neither the operator's memory nor its threads.
     */
    private static final SocketLimits LIMITS = new SocketLimits(4L << 20, 300);

    /** The login may be a superuser, and any user may have created functions and operators in public. */
    private static final String CATALOG_ONLY = "-c search_path=pg_catalog";

    private ProjectServer() {}

    /** Connects with the login of the Secret. */
    public static DataSource of(Complete at) {
        var source = new PGSimpleDataSource();
        source.setURL(at.jdbcUrl());
        source.setUser(at.login().user());
        source.setPassword(at.login().password());
        source.setApplicationName("svc-operator");
        source.setOptions(CATALOG_ONLY);
        source.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        source.setLoginTimeout(CONNECT_TIMEOUT_SECONDS);
        source.setSocketTimeout(SOCKET_TIMEOUT_SECONDS);
        source.setSocketFactory(BoundedSockets.class.getName());
        source.setSocketFactoryArg(LIMITS.argument());
        return source;
    }

    /** Opens one connection with any login. */
    public static Connection open(Complete at, Login login, int readSeconds) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", login.user());
        properties.setProperty("password", login.password());
        properties.setProperty("ApplicationName", "svc-operator");
        properties.setProperty("options", CATALOG_ONLY);
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_TIMEOUT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_TIMEOUT_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(readSeconds));
        properties.setProperty("socketFactory", BoundedSockets.class.getName());
        properties.setProperty("socketFactoryArg", LIMITS.argument());
        return new Driver().connect(at.jdbcUrl(), properties);
    }

    /**
     * Runs the work; reports an untrusted certificate apart from an unreachable server.
     *
     * @param name of the database in messages
     */
    public static <T> T guarded(String name, DatabaseFailure.Work<T> work) {
        return DatabaseFailure.guarded(name, () -> {
            try {
                return work.run();
            } catch (SQLException e) {
                if (isUntrusted(e)) {
                    throw DatabaseFailure.of(
                            FailureReason.SERVER_NOT_TRUSTED,
                            name,
                            "no authority in ca.crt signed it, or it is for another host");
                }
                throw e;
            }
        });
    }

    private static boolean isUntrusted(SQLException failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        // The driver's message when the host name does not match the certificate.
        return "08006".equals(failed.getSQLState())
                && failed.getMessage() != null
                && failed.getMessage().contains("could not be verified by hostnameverifier");
    }
}
