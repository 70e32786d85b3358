package svc.operator.database;

import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Host, port and name of a database. Holds no credentials, so it may be logged.
 *
 * @param host the first one, where a URL names several
 */
public record DatabaseAddress(String host, int port, String databaseName) {
    /** @throws IllegalArgumentException when the URL is not one of PostgreSQL's; the message does not repeat it, because it may hold credentials */
    public static DatabaseAddress of(String jdbcUrl) {
        Properties parsed = Driver.parseURL(jdbcUrl, null);
        if (parsed == null) {
            throw new IllegalArgumentException("a database's jdbc-url begins with jdbc:postgresql://");
        }
        return new DatabaseAddress(
                first(PGProperty.PG_HOST.getOrDefault(parsed)),
                Integer.parseInt(first(PGProperty.PG_PORT.getOrDefault(parsed))),
                PGProperty.PG_DBNAME.getOrDefault(parsed));
    }

    /** Whether both addresses name the same server. */
    public boolean isBeside(DatabaseAddress other) {
        return host.equals(other.host) && port == other.port;
    }

    private static String first(String list) {
        return list.split(",", 2)[0];
    }
}
