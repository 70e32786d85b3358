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
 * Pools of the provisioning login. A pool opens nothing until it is asked, and closes what stays idle, so a configured
 * database that is away costs nothing but the failure of what needs it.
 */
final class ConnectionPool {
    private static final Duration ACQUIRE_LIMIT = Duration.ofSeconds(10);
    private static final Duration IDLE_LIMIT = Duration.ofMinutes(1);
    private static final String CONNECT_SECONDS = "5";
    /** Longer than any statement we send may take by its own limits; ends a read on a connection that a network lost. */
    private static final String READ_SECONDS = "120";

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
                .jdbcProperty("connectTimeout", CONNECT_SECONDS)
                .jdbcProperty("loginTimeout", CONNECT_SECONDS)
                .jdbcProperty("socketTimeout", READ_SECONDS)
                .jdbcProperty("tcpKeepAlive", "true");
        var settings = new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.minSize(0)
                        .initialSize(0)
                        .maxSize(login.poolMax())
                        .acquisitionTimeout(ACQUIRE_LIMIT)
                        .reapTimeout(IDLE_LIMIT)
                        // A server that was restarted leaves dead connections behind: one round trip finds them before
                        // our SQL, but for those that died a moment ago: what fails on them is tried again.
                        .validateOnBorrow(true)
                        .connectionValidator(new CachedConnectionValidator(System::nanoTime))
                        .connectionFactoryConfiguration(connections));
        try {
            return AgroalDataSource.from(settings);
        } catch (SQLException e) {
            throw new IllegalStateException("while making the pool of database " + login.name(), e);
        }
    }

    /** Asks the login for its password whenever a connection is made. */
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
