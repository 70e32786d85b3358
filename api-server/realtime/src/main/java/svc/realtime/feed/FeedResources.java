package svc.realtime.feed;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import svc.catalog.SchemaCache;
import svc.platform.memory.ByteBudget;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogReader;
import svc.realtime.bus.ProjectBus;

/**
 * What all projects' feeds share.
 *
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
        FeedMetrics metrics) {}
