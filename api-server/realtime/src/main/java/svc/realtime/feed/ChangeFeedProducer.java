package svc.realtime.feed;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import svc.catalog.SchemaCache;
import svc.database.key.LoginSecret;
import svc.database.key.Purpose;
import svc.platform.budget.BudgetMetrics;
import svc.platform.config.ApiConfig;
import svc.platform.config.PurposeRoots;
import svc.platform.config.ServerRole;
import svc.platform.memory.ByteBudget;
import svc.platform.projectlog.LogSeverity;
import svc.platform.projectlog.LogSource;
import svc.platform.projectlog.ProjectLog;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.replication.WalSource;
import svc.realtime.bus.ProjectBus;
import svc.realtime.change.DatabaseMessages;
import svc.realtime.reader.DatabaseReader;
import svc.realtime.reader.LogRecipients;
import svc.realtime.reader.ProjectTables;
import svc.realtime.reader.ReaderMetrics;
import svc.realtime.reader.ReaderSettings;

/** Creates the change feed of the process when it is first needed; opens no connection. */
@ApplicationScoped
class ChangeFeedProducer {
    /** The version of the logins that read logs; raised when their passwords are to change. */
    private static final int LOGIN_VERSION = 1;

    /** Configuration of table changes. */
    @ConfigMapping(prefix = "svc.realtime.changes")
    interface Config {
        /** Memory of this process for changes that wait for a check of row security, of all projects together. */
        @WithDefault("64M")
        MemorySize memory();

        /** The longest a check of row security may take; then the callers that it was for are left alone for a while. */
        @WithDefault("2s")
        Duration checkTimeout();

        /** Checks of row security of one project at the same time, each on a connection of the project. */
        @WithDefault("4")
        int checksPerProject();

        /** How often the state of a database's slot is read: another process takes over within this time. */
        @WithDefault("1s")
        Duration poll();

        /** How long a database's log is read that no channel needs any more. */
        @WithDefault("5m")
        Duration linger();

        /**
         * Log that a reader may leave unconfirmed, at most half of {@code max_slot_wal_keep_size}. Without a value it is
         * that half, or 1 GB where the server has no limit.
         */
        Optional<MemorySize> maxLag();
    }

    @Produces
    @Singleton
    @DefaultBean
    LiveChangeFeed changes(
            Config config,
            Instance<ProjectBus> bus,
            Instance<DatabaseMessages> messages,
            SchemaCache schemas,
            CatalogDatabase catalog,
            TenantTransactions transactions,
            TenantDirectory tenants,
            PurposeRoots roots,
            ApiConfig api,
            MeterRegistry meters,
            ProjectLog log,
            @VirtualThreads ExecutorService threads) {
        FeedSettings defaults = FeedSettings.defaults();
        var resources = new FeedResources(
                bus.get(),
                schemas,
                catalog,
                transactions,
                threads,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("svc-change-checks").factory()),
                new ByteBudget(config.memory().asLongValue()),
                new FeedSettings(
                        config.checkTimeout(),
                        config.checksPerProject(),
                        defaults.publicationWait(),
                        defaults.subscribeTimeout(),
                        defaults.mute(),
                        defaults.projectBytes(),
                        defaults.groupBytes()),
                new FeedMetrics(meters));
        boolean ofOneProject = api.roles().equals(Set.of(ServerRole.REALTIME_SIDECAR));
        var reading = new ReaderSettings(
                config.poll(),
                config.linger(),
                config.maxLag()
                        .map(bytes -> OptionalLong.of(bytes.asLongValue()))
                        .orElse(OptionalLong.empty()),
                !ofOneProject);
        var unfinished = LogRecipients.unfinishedChanges();
        BudgetMetrics.register(unfinished, meters);
        var feed = new LiveChangeFeed(
                resources,
                request -> new DatabaseReader(
                        ofOneProject
                                ? WalSource.dedicated(request.tenant(), () -> password(roots, request.tenant()))
                                : WalSource.shared(request.database(), () -> password(roots)),
                        new LogRecipients(
                                ofOneProject
                                        ? ProjectTables.dedicated(
                                                request.tenant().names())
                                        : ProjectTables.shared(),
                                bus.get(),
                                // When it is needed: what takes messages may need the feed.
                                (projectId, message) -> messages.get().committed(projectId, message),
                                (projectId, warning) -> log.add(
                                        projectId,
                                        LogSource.REALTIME,
                                        LogSeverity.WARN,
                                        Optional.empty(),
                                        warning,
                                        Map.of()),
                                unfinished),
                        reading,
                        new ReaderMetrics(meters, request.database().name()),
                        request.lost()),
                tenant -> ofOneProject ? tenant.adoption().isEmpty() : LiveChangeFeed.isShared(tenant));
        tenants.onChange(ref -> tenants.find(ref).ifPresent(feed::changed));
        return feed;
    }

    void close(@Disposes LiveChangeFeed feed) {
        feed.close();
    }

    private static String password(PurposeRoots roots, Tenant tenant) {
        return LoginSecret.of(roots.require(Purpose.REPLICATION, tenant.masterKeyVersion())
                        .leaf(tenant.scope().withKeyVersion(LOGIN_VERSION)))
                .password();
    }

    private static String password(PurposeRoots roots) {
        return roots.newest(Purpose.LOGIN_REPLICATION)
                .map(root -> LoginSecret.of(root.platformLeaf(LOGIN_VERSION)).password())
                .orElseThrow(() -> new IllegalStateException(
                        "a data plane needs the root login-svc-replication, see svc.api.keys"));
    }
}
