package svc.postgres.jdbc;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import svc.database.sql.SqlFragment;
import svc.postgres.Login;
import svc.postgres.PlatformUnavailable;
import svc.postgres.PoolExhausted;
import svc.postgres.Row;
import svc.postgres.SqlError;
import svc.postgres.Statements;
import svc.postgres.pool.PoolSettings;

/**
 * The control plane's own tables (schema {@code svc_platform}), through the login {@code svc_platform}. Names in the
 * text are qualified with their schema: nothing is promised about the search path. Never reaches a project's schema or a
 * companion, on which a tenant's triggers could run. Every method throws {@link PlatformUnavailable} when the database
 * cannot be used now.
 */
public final class PlatformDatabase implements Statements, AutoCloseable {
    /** The platform login of the control plane. */
    public static final String LOGIN = "svc_platform";

    private final LoginPool pool;

    /**
     * Opens nothing yet.
     *
     * @param jdbcUrl the platform database, without credentials
     * @param password derives the password of {@link #LOGIN}; asked for each new connection
     */
    public PlatformDatabase(String jdbcUrl, Supplier<String> password, PoolSettings settings) {
        this.pool = new LoginPool(settings, new Login(jdbcUrl, LOGIN, password));
    }

    @Override
    public <T> List<T> query(SqlFragment sql, Row.Reader<T> reader, Object... binds) {
        return available(() -> pool.run(statements -> statements.query(sql, reader, binds)));
    }

    @Override
    public int update(SqlFragment sql, Object... binds) {
        return available(() -> pool.run(statements -> statements.update(sql, binds)));
    }

    /**
     * Runs {@code work} in one transaction: committed when it returns, rolled back when it throws.
     *
     * @throws SqlError what PostgreSQL answered, on commit as well
     * @throws PlatformUnavailable when the database cannot be used now, or no connection came free in time
     */
    public <T> T transaction(Function<Statements, T> work) {
        return available(() -> pool.transaction(work));
    }

    @Override
    public void close() {
        pool.close();
    }

    /** All tables are the platform's: a missing or inaccessible one is not prepared yet, and no caller's mistake. */
    private static <T> T available(Supplier<T> work) {
        try {
            return work.get();
        } catch (PoolExhausted e) {
            throw new PlatformUnavailable(e);
        } catch (SqlError e) {
            throw e.infrastructure() || e.notPrepared() ? new PlatformUnavailable(e) : e;
        }
    }
}
