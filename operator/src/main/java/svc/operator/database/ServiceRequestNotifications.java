package svc.operator.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.PGConnection;
import svc.database.shared.ServiceRequests;

/**
 * Listens for new service requests on a connection outside the pool. A notification is only a hint to poll: tenants may
 * notify any channel.
 */
final class ServiceRequestNotifications implements AutoCloseable {
    private static final String TIMEOUT_SECONDS = "10";

    private final Connection connection;
    private final PGConnection listener;

    private ServiceRequestNotifications(Connection connection) throws SQLException {
        this.connection = connection;
        this.listener = connection.unwrap(PGConnection.class);
    }

    /** Opens the connection and starts to listen. */
    static ServiceRequestNotifications open(DatabaseLogin login) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", login.username());
        properties.setProperty("password", login.password().get());
        properties.setProperty("ApplicationName", "svc-operator-requests");
        properties.setProperty("connectTimeout", TIMEOUT_SECONDS);
        properties.setProperty("loginTimeout", TIMEOUT_SECONDS);
        properties.setProperty("tcpKeepAlive", "true");
        Connection connection = DriverManager.getConnection(login.jdbcUrl(), properties);
        try (Statement listen = connection.createStatement()) {
            listen.execute("LISTEN " + ServiceRequests.CHANNEL.sql());
            return new ServiceRequestNotifications(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Blocks until a notification arrives or the timeout has passed. */
    void await(Duration timeout) throws SQLException {
        listener.getNotifications((int) timeout.toMillis());
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
