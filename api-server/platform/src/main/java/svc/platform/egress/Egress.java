package svc.platform.egress;

import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import svc.platform.budget.BudgetMetrics;
import svc.platform.memory.MemoryBudget;

/** Makes the client from the configuration. */
@ApplicationScoped
class Egress {
    /** What can be set of calls to addresses that tenants chose. */
    @ConfigMapping(prefix = "svc.api.egress")
    interface Config {
        /** Ranges of this installation that are closed although they look public: pods, services, nodes. CIDR. */
        Optional<List<String>> closed();

        /** Ranges that are open although they are special, such as 10.20.0.0/16. CIDR. */
        Optional<List<String>> open();

        /** Longest call. */
        @WithDefault("5s")
        Duration timeout();
    }

    @Produces
    @Singleton
    AddressRules rules(Config config) {
        return new AddressRules(config.closed().orElse(List.of()), config.open().orElse(List.of()));
    }

    @Produces
    @Singleton
    HostLookup hosts(Config config) {
        return new HostLookup(List.of(), config.timeout());
    }

    @Produces
    @Singleton
    EgressClient client(
            AddressRules rules,
            HostLookup hosts,
            Config config,
            Vertx vertx,
            MemoryBudget memory,
            MeterRegistry metrics) {
        var client = new EgressClient(vertx, rules, config.timeout(), hosts, memory.bytes());
        client.budgets().forEach(budget -> BudgetMetrics.register(budget, metrics));
        return client;
    }

    void close(@Disposes EgressClient client) {
        client.close();
    }
}
