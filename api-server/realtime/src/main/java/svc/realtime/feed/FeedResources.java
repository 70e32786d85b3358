package svc.realtime.feed;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import svc.catalog.SchemaCache;
import svc.platform.memory.ByteBudget;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.flush.AdoptedCatalog;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogReader;
import svc.realtime.bus.ProjectBus;

/**
 * What all projects' feeds share.
 *
 * @param catalog of the platform's servers
 * @param threads run the feeds' tasks, which may block
 * @param clock stops checks that take too long
 * @param memory of changes that wait, shared by the projects
 */
public record FeedResources(
        ProjectBus bus,
        SchemaCache schemas,
        CatalogReader catalog,
        TenantTransactions transactions,
        Executor threads,
        ScheduledExecutorService clock,
        ByteBudget memory,
        FeedSettings settings,
        FeedMetrics metrics) {
    /** Reads the catalog of a project's database: a server that a tenant chose is asked as the project's own login. */
    CatalogReader catalog(Tenant tenant) {
        return tenant.database().server() == Server.PLATFORM ? catalog : new AdoptedCatalog(transactions, tenant);
    }
}
