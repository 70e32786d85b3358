package svc.operator.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.agroal.api.configuration.supplier.AgroalConnectionFactoryConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.AgroalSecurityProvider;
import io.agroal.api.security.NamePrincipal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * Connection pools of the provisioning login. A pool connects on first use and closes idle connections, so that an
 * unreachable database fails only the callers that need it.
 */
final class ConnectionPool {
    private static final Duration ACQUISITION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);
    private static final String CONNECT_TIMEOUT_SECONDS = "5";
    /** Longer than the statement timeout of anything sent here; ends a read on a connection that the network lost. */
    private static final String SOCKET_TIMEOUT_SECONDS = "120";

    private ConnectionPool() {}

    static AgroalDataSource open(DatabaseLogin login) {
        var connections = new AgroalConnectionFactoryConfigurationSupplier()
                .connectionProviderClass(Driver.class)
                .jdbcUrl(login.jdbcUrl())
                .principal(new NamePrincipal(login.username()))
                .credential(login)
                .addSecurityProvider(new CurrentPassword())
                .jdbcTransactionIsolation(TransactionIsolation.READ_COMMITTED)
                .jdbcProperty("ApplicationName", "svc-operator")
                .jdbcProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS)
                .jdbcProperty("loginTimeout", CONNECT_TIMEOUT_SECONDS)
                .jdbcProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS)
                .jdbcProperty("tcpKeepAlive", "true");
        var settings = new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.minSize(0)
                        .initialSize(0)
                        .maxSize(login.poolMax())
                        .acquisitionTimeout(ACQUISITION_TIMEOUT)
                        .reapTimeout(IDLE_TIMEOUT)
                        // A restarted server leaves dead connections behind. Validation finds them, except those that
                        // died within the validator's cache time: the retry covers these.
                        .validateOnBorrow(true)
                        .connectionValidator(new CachedConnectionValidator(System::nanoTime))
                        .connectionFactoryConfiguration(connections));
        try {
            return AgroalDataSource.from(settings);
        } catch (SQLException e) {
            throw new IllegalStateException("while creating the connection pool of database " + login.name(), e);
        }
    }

    /** Reads the current password for each new connection. */
    private static final class CurrentPassword implements AgroalSecurityProvider {
        @Override
        public Properties getSecurityProperties(Object credential) {
            if (!(credential instanceof DatabaseLogin login)) {
                return null;
            }
            var properties = new Properties();
            properties.setProperty("password", login.password().get());
            return properties;
        }
    }
}
