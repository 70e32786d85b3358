package svc.operator.project.connection.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import svc.database.network.ServerNetworks;
import svc.database.socket.BoundedSockets;
import svc.database.socket.SocketLimits;
import svc.database.socket.SocketRules;
import svc.operator.project.connection.ConnectionSecret.Complete;
import svc.operator.project.connection.ConnectionSecret.Login;
import svc.operator.project.database.ConnectionFailedException;

/**
 * Connections to a database server that the project's owner chose. Not pooled: a converged project needs one connection per
 * drift interval. Timeouts are short, because the server may not answer. Connects only to addresses in the networks that are
 * allowed, and hides why a connection failed.
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

    private final ServerNetworks networks;

    public ProjectServer(ServerNetworks networks) {
        this.networks = networks;
    }

    /** A data source whose failures to connect are {@link ConnectionFailedException}s. */
    private static final class HidingSource extends PGSimpleDataSource {
        private static final long serialVersionUID = 1L;

        @Override
        public Connection getConnection() throws SQLException {
            try {
                return super.getConnection();
            } catch (SQLException e) {
                throw new ConnectionFailedException(e);
            }
        }
    }

    /** Connects with the login of the Secret. */
    public DataSource of(Complete at) {
        var source = new HidingSource();
        source.setURL(at.jdbcUrl());
        source.setUser(at.login().user());
        source.setPassword(at.login().password());
        source.setApplicationName("svc-operator");
        source.setOptions(CATALOG_ONLY);
        source.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        source.setLoginTimeout(CONNECT_TIMEOUT_SECONDS);
        source.setSocketTimeout(SOCKET_TIMEOUT_SECONDS);
        source.setSocketFactory(BoundedSockets.class.getName());
        source.setSocketFactoryArg(new SocketRules(LIMITS.argument(), networks).argument());
        return source;
    }

    /** Opens one connection with any login. */
    public Connection open(Complete at, Login login, int readSeconds) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", login.user());
        properties.setProperty("password", login.password());
        properties.setProperty("ApplicationName", "svc-operator");
        properties.setProperty("options", CATALOG_ONLY);
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_TIMEOUT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_TIMEOUT_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(readSeconds));
        properties.setProperty("socketFactory", BoundedSockets.class.getName());
        properties.setProperty("socketFactoryArg", new SocketRules(LIMITS.argument(), networks).argument());
        try {
            return new Driver().connect(at.jdbcUrl(), properties);
        } catch (SQLException e) {
            throw new ConnectionFailedException(e);
        }
    }
}
