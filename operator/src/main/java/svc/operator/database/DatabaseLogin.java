package svc.operator.database;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;

/**
 * How to reach one configured database.
 *
 * @param name of the configuration; the registry records it, users never see it
 * @param password asked for each new connection, so that a changed one needs no restart
 * @param poolMax connections at most
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

    /** Where that is. */
    public DatabaseAddress address() {
        return DatabaseAddress.of(jdbcUrl);
    }

    /** Without the URL, which may hold parameters, and without the login's secret. */
    @Override
    public String toString() {
        return "DatabaseLogin[" + name + "]";
    }
}
