package svc.rest;

import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import svc.catalog.SchemaCache;
import svc.platform.budget.BudgetMetrics;
import svc.postgres.flush.TenantTransactions;

/** Assembles the service from the process's connections and configuration. */
@ApplicationScoped
class RestService {
    /** Configuration of the REST service. */
    @ConfigMapping(prefix = "svc.api.rest")
    interface Config {
        /** Whether responses have a Server-Timing header with the duration of each stage. */
        @WithDefault("false")
        boolean serverTiming();
    }

    @Produces
    @Singleton
    RestRequestHandler handler(
            Config config, TenantTransactions transactions, SchemaCache schemas, MeterRegistry metrics) {
        var handler = new RestRequestHandler(transactions, schemas, config.serverTiming());
        BudgetMetrics.register(handler.documents(), metrics);
        return handler;
    }
}
