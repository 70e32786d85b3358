package svc.operator.runtime;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import svc.operator.function.FunctionServices;
import svc.operator.observe.Observer;
import svc.operator.observe.OperatorMetrics;
import svc.operator.observe.ReconcileLog;
import svc.operator.project.ProjectServices;

/** The assembly as beans: all that is particular to running as a Quarkus application. */
@Dependent
public class OperatorBeans {
    @Produces
    @Singleton
    Observer observer(MeterRegistry registry) {
        return new ReconcileLog().and(new OperatorMetrics(registry));
    }

    /** Replaces the SDK's own, which makes time series for each resource. */
    @Produces
    @Singleton
    Metrics sdkMetrics(MeterRegistry registry) {
        return MicrometerMetrics.withoutPerResourceMetrics(registry);
    }

    @Produces
    @Singleton
    OperatorAssembly assembly(OperatorConfig config, KubernetesClient client, Observer observer) {
        return new OperatorAssembly(config, client, Clock.systemUTC(), observer);
    }

    void prepareDatabases(@Observes StartupEvent event, OperatorAssembly assembly) {
        assembly.prepareDatabases();
    }

    void close(@Disposes OperatorAssembly assembly) {
        assembly.close();
    }

    @Produces
    @Singleton
    ProjectServices projectServices(OperatorAssembly assembly) {
        return assembly.services();
    }

    @Produces
    @Singleton
    FunctionServices functionServices(OperatorAssembly assembly) {
        return assembly.functionServices();
    }

    /** Null, which only a dependent bean may be, means no election: the SDK asks for it so. */
    @Produces
    @Dependent
    LeaderElectionConfiguration leaderElection(OperatorConfig config) {
        return OperatorAssembly.leaderElection(config.operator().leaderElection())
                .orElse(null);
    }
}
