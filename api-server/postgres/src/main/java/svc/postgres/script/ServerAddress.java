package svc.postgres.script;

import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.SslMode;
import org.postgresql.util.PSQLException;

/**
 * Host, database and TLS mode of a JDBC address.
 *
 * @param properties all parameters of the address, for the driver's TLS settings
 */
record ServerAddress(String host, int port, String database, SslMode sslMode, Properties properties) {
    /** @throws IllegalArgumentException for an address that names no single PostgreSQL server */
    static ServerAddress of(String jdbcUrl) {
        Properties properties = Driver.parseURL(jdbcUrl, new Properties());
        if (properties == null) {
            throw new IllegalArgumentException("not the JDBC address of a PostgreSQL database: " + jdbcUrl);
        }
        try {
            return new ServerAddress(
                    PGProperty.PG_HOST.getOrDefault(properties),
                    PGProperty.PG_PORT.getInt(properties),
                    PGProperty.PG_DBNAME.getOrDefault(properties),
                    SslMode.of(properties),
                    properties);
        } catch (PSQLException | NumberFormatException e) {
            throw new IllegalArgumentException("the JDBC address " + jdbcUrl + " cannot be used", e);
        }
    }
}
