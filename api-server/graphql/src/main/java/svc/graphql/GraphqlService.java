package svc.graphql;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import svc.catalog.SchemaCache;
import svc.platform.memory.MemoryBudget;
import svc.postgres.flush.TenantTransactions;

/** Assembles the service from the process's connections and configuration. */
@ApplicationScoped
class GraphqlService {
    /** Configuration of the GraphQL service. */
    @ConfigMapping(prefix = "svc.api.graphql")
    interface Config {
        /** Maximum heap size of the schemas of all roles and of parsed and persisted documents together. */
        @WithDefault("64M")
        MemorySize cache();
    }

    @Produces
    @Singleton
    GraphqlRequestHandler handler(
            Config config,
            TenantTransactions transactions,
            SchemaCache schemas,
            MemoryBudget memory,
            @VirtualThreads ExecutorService virtualThreads) {
        return new GraphqlRequestHandler(
                transactions, schemas, memory::ofProject, config.cache().asLongValue(), virtualThreads);
    }
}
