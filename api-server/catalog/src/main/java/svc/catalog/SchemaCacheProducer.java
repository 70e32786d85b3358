package svc.catalog;

import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import svc.database.key.ChannelName;
import svc.database.key.Purpose;
import svc.platform.config.PurposeRoots;
import svc.platform.tenancy.TenantDirectory;
import svc.postgres.flush.TenantTransactions;
import svc.postgres.jdbc.CatalogDatabase;
import svc.postgres.listen.SchemaNotifications;

/** Creates the schema cache of the process, which all services share. */
@ApplicationScoped
class SchemaCacheProducer {
    /** Version of the channel name. */
    private static final int CHANNEL_VERSION = 1;

    /** Configuration of the schema cache. */
    @ConfigMapping(prefix = "svc.api.catalog")
    interface Config {
        /** Maximum heap size of the schemas of all projects together. */
        @WithDefault("128M")
        MemorySize schemaCache();
    }

    @Produces
    @Singleton
    @DefaultBean
    SchemaCache schemas(
            Config config,
            CatalogDatabase catalog,
            Listening listening,
            TenantTransactions transactions,
            TenantDirectory tenants,
            @VirtualThreads ExecutorService virtualThreads) {
        var adopted = new AdoptedSchemas(transactions);
        var schemas = new SchemaCache(
                new SchemaReader(catalog),
                config.schemaCache().asLongValue(),
                virtualThreads,
                listening.notifications(),
                Optional.of(adopted));
        tenants.onChange(ref -> adopted.forget(ref).ifPresent(schemas::forgetDatabase));
        return schemas;
    }

    /** @param notifications empty in a process without data plane, which has no key root of the channel */
    record Listening(Optional<SchemaNotifications> notifications) {}

    @Produces
    @Singleton
    Listening listening(CatalogDatabase catalog, PurposeRoots roots) {
        return new Listening(roots.newest(Purpose.CHANNEL)
                .map(root -> new SchemaNotifications(catalog, ChannelName.of(root.platformLeaf(CHANNEL_VERSION)))));
    }

    void close(@Disposes Listening listening) {
        listening.notifications().ifPresent(SchemaNotifications::close);
    }
}
