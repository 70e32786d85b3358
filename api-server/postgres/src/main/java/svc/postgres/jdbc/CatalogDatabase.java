package svc.postgres.jdbc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import svc.database.sql.SqlFragment;
import svc.platform.tenancy.Tenant.DatabaseAddress;
import svc.postgres.Login;
import svc.postgres.Row;
import svc.postgres.SqlError;
import svc.postgres.pool.PoolSettings;

/**
 * Reads catalogs of the databases that hold projects, through the login {@code svc_catalog}, which may do nothing else.
 * Names in the text are qualified: nothing is promised about the search path.
 */
public final class CatalogDatabase implements CatalogReader, AutoCloseable {
    /** The platform login that may read catalogs. */
    public static final String LOGIN = "svc_catalog";

    private final Map<String, LoginPool> pools = new ConcurrentHashMap<>();
    private final Supplier<String> password;
    private final PoolSettings settings;

    /**
     * Opens nothing yet.
     *
     * @param password derives the password of {@link #LOGIN}; asked for each new connection
     * @param settings of each database: a few connections are enough
     */
    public CatalogDatabase(Supplier<String> password, PoolSettings settings) {
        this.password = password;
        this.settings = settings;
    }

    @Override
    public <T> List<T> query(DatabaseAddress database, SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        try {
            return pools.computeIfAbsent(database.forPlatformLogins().jdbcUrl(), this::pool)
                    .run(statements -> statements.query(sql, reader, binds));
        } catch (SqlError e) {
            // The query is the platform's own: its names must not be shown to a caller of the data plane.
            throw e.concealed();
        }
    }

    @Override
    public void close() {
        pools.values().forEach(LoginPool::close);
    }

    private LoginPool pool(String jdbcUrl) {
        return new LoginPool(settings, login(jdbcUrl));
    }

    public Login login(DatabaseAddress database) {
        return login(database.forPlatformLogins().jdbcUrl());
    }

    private Login login(String jdbcUrl) {
        return new Login(jdbcUrl, LOGIN, password);
    }
}
