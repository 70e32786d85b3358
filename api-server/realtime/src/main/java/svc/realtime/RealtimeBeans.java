package svc.realtime;

import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.Vertx;
import io.vertx.mutiny.redis.client.Redis;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.dataplane.BodyRules;
import svc.platform.dataplane.SessionTokens;
import svc.platform.memory.MemoryBudget;
import svc.platform.tenancy.Tenant.DatabaseAddress.Server;
import svc.postgres.flush.AdoptedCatalog;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;
import svc.realtime.bus.ActivityExchange;
import svc.realtime.bus.LocalProjectBus;
import svc.realtime.bus.ProjectBus;
import svc.realtime.bus.RedisProjectBus;
import svc.realtime.change.ChangeFeed;
import svc.realtime.change.DatabaseLogs;
import svc.realtime.change.DatabaseMessages;
import svc.realtime.channel.ChannelServices;
import svc.realtime.channel.ChannelTokens;
import svc.realtime.channel.RealtimeProjects;
import svc.realtime.http.BroadcastEndpoint;
import svc.realtime.http.RealtimeRequestHandler;
import svc.realtime.http.RequestRates;
import svc.realtime.policy.ChannelPolicies;
import svc.realtime.policy.MessagesTable;
import svc.realtime.policy.PolicyVersions;
import svc.realtime.socket.SocketLimits;

/** Produces the service's beans from the process's connections. */
@ApplicationScoped
class RealtimeBeans {
    /** Of a database, found by one turn of the sweep. */
    private static final int SWEPT_PROJECTS = 500;

    @Produces
    @Singleton
    ProjectBus bus(ApiConfig config, Vertx vertx, Instance<Redis> redis) {
        return config.roles().contains(ServerRole.REALTIME_SIDECAR)
                ? new LocalProjectBus()
                : new RedisProjectBus(vertx, redis.get().getDelegate());
    }

    void close(@Disposes ProjectBus bus) {
        if (bus instanceof RedisProjectBus closed) {
            closed.close();
        }
    }

    @Produces
    @Singleton
    ActivityExchange activities(Vertx vertx, Redis redis) {
        return new ActivityExchange(vertx, redis.getDelegate());
    }

    void close(@Disposes ActivityExchange activities) {
        activities.close();
    }

    @Produces
    @Singleton
    MessagesTable messages(TenantTransactions transactions) {
        return new MessagesTable(transactions);
    }

    @Produces
    @Singleton
    StoredMessages storedMessages(CatalogDatabase catalog, Instance<DatabaseLogs> logs) {
        return new StoredMessages(
                catalog, () -> logs.stream().findFirst().map(DatabaseLogs::read).orElse(Set.of()), SWEPT_PROJECTS);
    }

    @Produces
    @Singleton
    ChannelPolicies policies(
            MessagesTable messages,
            @VirtualThreads ExecutorService threads,
            CatalogDatabase catalog,
            TenantTransactions transactions) {
        return new ChannelPolicies(
                messages,
                threads,
                new PolicyVersions(tenant -> tenant.database().server() == Server.PLATFORM
                        ? catalog
                        : new AdoptedCatalog(transactions, tenant)));
    }

    @Produces
    @Singleton
    DatabaseMessages databaseMessages(ProjectBus bus, MessagesSweep sweep) {
        return new DatabaseBroadcasts(bus, sweep::hasMessages);
    }

    @Produces
    @Singleton
    RealtimeProjects projects(
            ProjectBus bus,
            ChannelPolicies policies,
            Instance<ChangeFeed> changes,
            Instance<DatabaseLogs> logs,
            SessionTokens tokens,
            MemoryBudget memory,
            RealtimeConfig config,
            Clock clock) {
        var services = new ChannelServices(
                bus,
                new ChannelTokens(tokens, clock),
                policies,
                changes.stream().findFirst(),
                logs.stream().findFirst(),
                memory::ofProject);
        var limits = new SocketLimits(
                Math.toIntExact(config.maxMessage().asLongValue()),
                config.sendQueue().asLongValue());
        return new RealtimeProjects(services, limits, config.idle());
    }

    @Produces
    @Singleton
    RealtimeRequestHandler requests(
            RealtimeProjects projects,
            ProjectBus bus,
            ChannelPolicies policies,
            MemoryBudget memory,
            ApiConfig config) {
        BodyRules rules =
                BodyRules.of(config.limits(), config.limits().dataBody().asLongValue(), true);
        return new RealtimeRequestHandler(
                projects,
                new BroadcastEndpoint(bus, policies, new RequestRates(projects::delivery), memory::ofProject, rules));
    }
}
