package svc.operator.project.connection.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import javax.net.ssl.SSLException;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecret.Login;
import svc.operator.project.database.DatabaseFailure;
import svc.operator.project.database.FailureReason;

/**
 * Connections to a server that the operator did not choose. Nothing is pooled: there are as many of them as projects are
 * looked at in the same moment, and a project in order needs one in a drift interval. Whoever answers, or does not, has few
 * seconds to do so.
 */
public final class ProjectServer {
    private static final int CONNECT_SECONDS = 5;
    /** Longer than any statement we send may take by its own limits. */
    private static final int READ_SECONDS = 120;

    /** The login may be a superuser, and public somewhere that everybody may put functions and operators. */
    private static final String CATALOG_ONLY = "-c search_path=pg_catalog";

    private ProjectServer() {}

    /** As the login that the Secret names. */
    public static DataSource of(Complete at) {
        var source = new PGSimpleDataSource();
        source.setURL(at.jdbcUrl());
        source.setUser(at.login().user());
        source.setPassword(at.login().password());
        source.setApplicationName("svc-operator");
        source.setOptions(CATALOG_ONLY);
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setLoginTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(READ_SECONDS);
        return source;
    }

    /** One connection of any login of that server. */
    public static Connection open(Complete at, Login login, int readSeconds) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", login.user());
        properties.setProperty("password", login.password());
        properties.setProperty("ApplicationName", "svc-operator");
        properties.setProperty("options", CATALOG_ONLY);
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(readSeconds));
        return new Driver().connect(at.jdbcUrl(), properties);
    }

    /**
     * Does something with it; a server that does not show who it is is told apart from one that is away.
     *
     * @param name of the database, in messages
     */
    public static <T> T guarded(String name, DatabaseFailure.Work<T> work) {
        return DatabaseFailure.guarded(name, () -> {
            try {
                return work.run();
            } catch (SQLException e) {
                if (isDistrust(e)) {
                    throw DatabaseFailure.of(
                            FailureReason.SERVER_NOT_TRUSTED,
                            name,
                            "its certificate is not signed by an authority of ca.crt, or is not for this host");
                }
                throw e;
            }
        });
    }

    private static boolean isDistrust(SQLException failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        // What the driver says when the names do not fit: it has compared them itself.
        return "08006".equals(failed.getSQLState())
                && failed.getMessage() != null
                && failed.getMessage().contains("could not be verified by hostnameverifier");
    }
}
