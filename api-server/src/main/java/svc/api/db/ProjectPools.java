package svc.api.db;

import org.postgresql.jdbc.PgConnection;
import svc.api.tenancy.Tenant;
import svc.api.tenancy.TenantDirectory;
import svc.database.name.DatabaseRole;

/**
 * The data plane's connections: per project and login, from none, all under one cap. A thousand idle projects cost
 * neither a connection nor memory. Passwords are derived, or
 * unsealed, at the moment of connecting.
 */
public final class ProjectPools implements AutoCloseable {
    private final SharedPool<TenantLogin> pool;
    private final LoginRoots roots;

    public ProjectPools(PoolSettings settings, LoginRoots roots) {
        this.pool = new SharedPool<>(settings, this::open);
        this.roots = roots;
    }

    /** Drops the connections of a project whenever its record changes: it may have moved, been rotated, or gone. */
    public void follow(TenantDirectory directory) {
        directory.onChange(this::invalidate);
    }

    /** Closes the idle connections of a project now, and those in use when they come back. */
    public void invalidate(String ref) {
        pool.retire(login -> login.ref().equals(ref));
    }

    /** Closes connections that have been idle for too long; called regularly. */
    public void closeIdle() {
        pool.closeIdle();
    }

    /** Connections open or being opened now. */
    public int openConnections() {
        return pool.openConnections();
    }

    /** Logins of which anything is held in memory: those with a connection or a caller waiting for one. */
    public int knownLogins() {
        return pool.knownLogins();
    }

    @Override
    public void close() {
        pool.close();
    }

    PooledConnection<TenantLogin> borrow(Tenant tenant, DatabaseRole login) {
        return pool.borrow(TenantLogin.of(tenant, login));
    }

    Login login(Tenant tenant) {
        return TenantLogin.of(tenant, DatabaseRole.API).login(roots);
    }

    void giveBack(PooledConnection<TenantLogin> connection) {
        pool.giveBack(connection);
    }

    void discard(PooledConnection<TenantLogin> connection) {
        pool.discard(connection);
    }

    private PgConnection open(TenantLogin login) {
        PgConnection connection = login.login(roots).open();
        try {
            StatementNames.makeUnguessable(connection);
            return connection;
        } catch (IllegalStateException e) {
            new PooledConnection<>(login, connection).close();
            throw e;
        }
    }
}
