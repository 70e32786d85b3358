package svc.sqlgate.parser;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import svc.platform.budget.BudgetMetrics;
import svc.platform.config.ApiConfig;
import svc.platform.config.ServerRole;
import svc.platform.memory.MemoryBudget;
import svc.platform.process.SandboxHome;

/** Creates a control plane's parser pool at its start, so that the first call does not wait for a process. */
@ApplicationScoped
class ParserPoolProducer {
    @Produces
    @Singleton
    ParserPool parsers(
            @ConfigProperty(name = SandboxHome.SETTING) Optional<String> home,
            MemoryBudget memory,
            MeterRegistry metrics) {
        var pool = new ParserPool(
                () -> SandboxHome.find(home.map(Path::of)),
                ParserLimits.defaults(),
                caller -> memory.ofOrganization(caller.organization()));
        BudgetMetrics.register(pool.turns(), metrics);
        return pool;
    }

    void stop(@Disposes ParserPool parsers) {
        parsers.close();
    }

    void prewarm(@Observes StartupEvent started, ApiConfig config, Instance<ParserPool> parsers) {
        if (config.roles().contains(ServerRole.CONTROL)) {
            parsers.get().processIds();
        }
    }
}
