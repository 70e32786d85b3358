package svc.postgres.flush;

import io.quarkus.arc.DefaultBean;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.platform.config.PurposeRoots;
import svc.platform.loop.LoopWatch;
import svc.platform.memory.MemoryBudget;
import svc.platform.projectlog.ProjectLog;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.Login;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.termination.SessionEnders;
import svc.postgres.wire.WireLoops;

/** Creates the data plane's access to the databases of projects when it is first needed; opens no connection. */
@ApplicationScoped
class DataPlaneConnections {
    /** Reading a schema takes milliseconds and is rare. */
    private static final int CATALOG_CONNECTIONS = 4;

    /** How long after its limit a transaction is ended that its own process has not ended. */
    private static final Duration OVERDUE = Duration.ofSeconds(30);

    /** The version of the platform's logins; raised when their passwords are to change. */
    private static final int LOGIN_VERSION = 1;

    @Produces
    @Singleton
    @DefaultBean
    TenantTransactions transactions(
            DatabaseConfig config,
            PurposeRoots roots,
            TenantDirectory tenants,
            MemoryBudget memory,
            ProjectLog log,
            Vertx vertx,
            LoopWatch loops) {
        var enders = new SessionEnders(
                jdbcUrl -> Optional.of(new Login(jdbcUrl, CatalogDatabase.LOGIN, () -> password(roots))),
                config.transactionLimit().plus(OVERDUE));
        var pools = new ProjectPools(
                config.pool(), roots, WireLoops.shared(vertx.nettyEventLoopGroup(), loops), enders, memory::ofProject);
        pools.follow(tenants);
        return new TenantTransactions(pools, config.transactionLimit(), StatementErrors.into(log));
    }

    void close(@Disposes TenantTransactions transactions) {
        transactions.close();
    }

    @Produces
    @Singleton
    @DefaultBean
    CatalogDatabase catalog(DatabaseConfig config, PurposeRoots roots) {
        return new CatalogDatabase(
                () -> password(roots),
                config.pool().withCap(CATALOG_CONNECTIONS).withPerLogin(CATALOG_CONNECTIONS));
    }

    void close(@Disposes CatalogDatabase catalog) {
        catalog.close();
    }

    private static String password(PurposeRoots roots) {
        return roots.newest(Purpose.LOGIN_CATALOG)
                .map(root -> LoginSecret.of(root.platformLeaf(LOGIN_VERSION)).password())
                .orElseThrow(() ->
                        new IllegalStateException("a data plane needs the root login-svc-catalog, see svc.api.keys"));
    }
}
