package svc.postgres.flush;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.postgresql.jdbc.PgConnection;
import svc.database.name.DatabaseRole;
import svc.platform.config.LoginRoots;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.Access;
import svc.postgres.Login;
import svc.postgres.SqlError;
import svc.postgres.TenantLogin;
import svc.postgres.jdbc.JdbcConnection;
import svc.postgres.jdbc.LoginRepair;
import svc.postgres.pool.PoolOwners;
import svc.postgres.pool.PoolSettings;
import svc.postgres.pool.PooledConnection;
import svc.postgres.pool.SharedPool;
import svc.postgres.termination.Backend;
import svc.postgres.termination.OwnSessionEnder;
import svc.postgres.termination.SessionEnder;
import svc.postgres.termination.SessionEnders;
import svc.postgres.wire.WireLoops;

/**
 * The data plane's connections: per project and login, from none, all under one cap, and those to servers that
 * tenants chose under one of their own. A thousand idle projects cost
 * neither a connection nor memory. Passwords are derived, or
 * unsealed, at the moment of connecting.
 */
public final class ProjectPools implements AutoCloseable {
    /** Reading an adopted database's catalog is rare. */
    private static final int CATALOG_CONNECTIONS = 2;

    /**
     * Connections to one login of a tenant's server that are being opened at once: each holds a place until it gives up.
     */
    private static final int CHOSEN_OPENING = 2;

    /** Rows, errors and notices, each of which the wire counts by itself. */
    private static final long ANSWER_BYTES = 3 * Login.RESULT_BYTES;

    private static final String INVALID_PASSWORD = "28P01";
    private static final String UNKNOWN_PARAMETER = "42704";

    /** What a server may take to say how its database is prepared. */
    private static final Duration PREPARING = Duration.ofSeconds(5);

    /** Of the platform's servers. */
    private final SharedPool<TenantLogin, FlushConnection, InFlightRequest> flushes;
    /** Of servers that tenants chose: one that is silent or slow keeps the places of others of its kind at most. */
    private final SharedPool<TenantLogin, FlushConnection, InFlightRequest> chosen;

    private final SharedPool<TenantLogin, JdbcConnection, Void> catalogs;
    private final LoginRoots roots;
    private final WireLoops loops;
    private final SessionEnders enders;
    private final Function<String, ByteBudget.Account> memory;
    /** Databases of servers that do not know transaction_timeout. */
    private final Set<String> older = ConcurrentHashMap.newKeySet();

    private final ServerSilence silence;

    /** With a dedicated event loop, and without a login that ends sessions. */
    public ProjectPools(PoolSettings settings, LoginRoots roots) {
        this(settings, roots, WireLoops.dedicated(), new SessionEnders(jdbcUrl -> Optional.empty()));
    }

    /** With as much memory for answers as they take. */
    public ProjectPools(PoolSettings settings, LoginRoots roots, WireLoops loops, SessionEnders enders) {
        this(settings, roots, loops, enders, new ByteBudget(Long.MAX_VALUE)::account);
    }

    /**
     * @param loops that drive the connections; closed together with this
     * @param enders end sessions of the platform's databases; closed together with this
     * @param memory the account of a project, by its ref
     */
    public ProjectPools(
            PoolSettings settings,
            LoginRoots roots,
            WireLoops loops,
            SessionEnders enders,
            Function<String, ByteBudget.Account> memory) {
        PoolOwners<TenantLogin> owners = new PoolOwners<>(TenantLogin::ref, TenantLogin::organization);
        this.flushes = new SharedPool<>(settings, owners, this::open);
        this.chosen = new SharedPool<>(settings.withOpening(CHOSEN_OPENING), owners, this::open);
        this.enders = enders;
        this.memory = memory;
        this.silence = new ServerSilence(enders::platformLogin);
        this.catalogs = new SharedPool<>(
                settings.withPerLogin(CATALOG_CONNECTIONS),
                login -> new JdbcConnection(login.login(roots()).open()));
        this.roots = roots;
        this.loops = loops;
    }

    /** Drops the connections of a project whenever its record changes: it may have moved, been rotated, or gone. */
    public void follow(TenantDirectory directory) {
        directory.onChange(this::invalidate);
    }

    /** Closes the idle connections of a project now, and those in use when they come back. */
    public void invalidate(String ref) {
        flushes.retire(login -> login.ref().equals(ref));
        chosen.retire(login -> login.ref().equals(ref));
        catalogs.retire(login -> login.ref().equals(ref));
    }

    /** Closes connections that have been idle, and refuses callers that have waited, for too long; called regularly. */
    public void tend() {
        flushes.tend();
        flushes.closeIdle();
        chosen.tend();
        chosen.closeIdle();
        catalogs.closeIdle();
        enders.sweep();
    }

    /** Connections open or being opened now. */
    public int openConnections() {
        return flushes.openConnections() + chosen.openConnections() + catalogs.openConnections();
    }

    /** Logins of which anything is held in memory: those with a connection or a caller waiting for one. */
    public int knownLogins() {
        return flushes.knownLogins() + chosen.knownLogins();
    }

    @Override
    public void close() {
        flushes.close();
        chosen.close();
        catalogs.close();
        loops.close();
        enders.close();
    }

    CompletableFuture<PooledConnection<TenantLogin, FlushConnection>> acquireAsync(
            Tenant tenant, DatabaseRole login, Access access, Optional<InFlightRequest> request) {
        TenantLogin key = TenantLogin.of(tenant, login);
        return pool(key).acquireAsync(key, access, request);
    }

    /** Removes requests that wait for a connection of the same login and access: the caller serves them. */
    List<InFlightRequest> batch(PooledConnection<TenantLogin, FlushConnection> connection, Access access, int max) {
        return pool(connection.key()).batch(connection, access, max);
    }

    /** Like {@link #acquireAsync} for a caller that may block. */
    PooledConnection<TenantLogin, FlushConnection> acquire(Tenant tenant, DatabaseRole login, Access access) {
        TenantLogin key = TenantLogin.of(tenant, login);
        return pool(key).acquire(key, access);
    }

    void release(PooledConnection<TenantLogin, FlushConnection> connection) {
        pool(connection.key()).release(connection);
    }

    void discard(PooledConnection<TenantLogin, FlushConnection> connection) {
        pool(connection.key()).discard(connection);
    }

    /** Connections to adopted databases on which the platform reads the catalog, and no code of the tenant's runs. */
    SharedPool<TenantLogin, JdbcConnection, Void> catalogs() {
        return catalogs;
    }

    Login login(Tenant tenant) {
        return TenantLogin.of(tenant, DatabaseRole.API).login(roots);
    }

    private SharedPool<TenantLogin, FlushConnection, InFlightRequest> pool(TenantLogin login) {
        return login.server() == Server.PLATFORM ? flushes : chosen;
    }

    /** Whether the login's server is stopped, as far as is known; a long wait is a reason to ask. */
    boolean isSilent(TenantLogin login) {
        return login.server() == Server.PLATFORM && silence.isSilent(login.jdbcUrl());
    }

    /** The same without asking the server. */
    boolean isKnownSilent(Tenant tenant) {
        return silence.isKnownSilent(tenant.database().jdbcUrl());
    }

    private LoginRoots roots() {
        return roots;
    }

    private FlushConnection open(TenantLogin login) {
        PgConnection connection = logIn(login);
        try {
            if (login.server() == Server.CHOSEN_BY_TENANT) {
                // There even a plan may run a function of a name of ours.
                connection.setNetworkTimeout(Runnable::run, 0);
                var backend = new Backend(connection.getBackendPID(), 0, login.user());
                SessionEnder own = new OwnSessionEnder(login.login(roots));
                return new FlushConnection(
                        connection,
                        false,
                        () -> own.end(backend),
                        loops.ofProject(login.ref()),
                        memory.apply(login.ref()));
            }
            PreparedDatabase prepared = PreparedDatabase.of(connection, login.user());
            // What runs from now on is watched by the clock of flushes.
            connection.setNetworkTimeout(Runnable::run, 0);
            SessionEnder ender = enders.of(login.jdbcUrl());
            return new FlushConnection(
                    connection,
                    prepared.flushesLog(),
                    () -> prepared.backend().map(ender::end).orElseGet(() -> CompletableFuture.completedFuture(null)),
                    loops.ofProject(login.ref()),
                    memory.apply(login.ref()));
        } catch (SQLException e) {
            new JdbcConnection(connection).abort();
            throw SqlError.connecting(e);
        }
    }

    /** A second time, when the login was refused and could be repaired. */
    private PgConnection logIn(TenantLogin login) {
        Login derived = login.login(roots);
        try {
            return connect(derived);
        } catch (SqlError refused) {
            boolean repaired = refused.is(INVALID_PASSWORD)
                    && login.verifier(roots)
                            .flatMap(verifier -> enders.platformLogin(login.jdbcUrl())
                                    .filter(platform -> LoginRepair.restored(platform, login.user(), verifier)))
                            .isPresent();
            if (repaired) {
                return connect(derived);
            }
            throw refused;
        }
    }

    private PgConnection connect(Login login) {
        if (login.server() == Server.CHOSEN_BY_TENANT || older.contains(login.jdbcUrl())) {
            return login.open(PREPARING, ANSWER_BYTES, Optional.empty());
        }
        try {
            return login.open(PREPARING, ANSWER_BYTES, Optional.of(enders.longest()));
        } catch (SqlError e) {
            if (!e.is(UNKNOWN_PARAMETER)) {
                throw e;
            }
            older.add(login.jdbcUrl());
            return login.open(PREPARING, ANSWER_BYTES, Optional.empty());
        }
    }
}
