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
 * Hears that somebody has made a wish, on a connection of its own beside the pool's. What it hears is a hint and no more:
 * tenants may notify any channel.
 */
final class ServiceRequestNotifications implements AutoCloseable {
    private static final String PATIENCE_SECONDS = "10";

    private final Connection connection;
    private final PGConnection listener;

    private ServiceRequestNotifications(Connection connection) throws SQLException {
        this.connection = connection;
        this.listener = connection.unwrap(PGConnection.class);
    }

    /** Listens from now on. */
    static ServiceRequestNotifications open(DatabaseLogin login) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", login.username());
        properties.setProperty("password", login.password().get());
        properties.setProperty("ApplicationName", "svc-operator-wishes");
        properties.setProperty("connectTimeout", PATIENCE_SECONDS);
        properties.setProperty("loginTimeout", PATIENCE_SECONDS);
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

    /** Returns when it hears something, or after that long. */
    void await(Duration limit) throws SQLException {
        listener.getNotifications((int) limit.toMillis());
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
