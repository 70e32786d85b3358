package svc.operator.database;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;

/**
 * The URL and provisioning login of one configured database.
 *
 * @param key under svc.databases; the registry records it
 * @param password read for each new connection, so that a changed password needs no restart
 * @param poolMax maximum number of connections
 */
public record DatabaseLogin(String name, String jdbcUrl, String username, Supplier<String> password, int poolMax) {
    public DatabaseLogin {
        requireNonNull(name, "name is null");
        requireNonNull(jdbcUrl, "jdbcUrl is null");
        requireNonNull(username, "username is null");
        requireNonNull(password, "password is null");
        if (poolMax < 1) {
            throw new IllegalArgumentException("database " + name + " needs a pool of at least 1 connection");
        }
    }

    /** The address in the URL. */
    public DatabaseAddress address() {
        return DatabaseAddress.of(jdbcUrl);
    }

    /** Omits the URL, which may hold parameters, and the password. */
    @Override
    public String toString() {
        return "DatabaseLogin[" + name + "]";
    }
}
