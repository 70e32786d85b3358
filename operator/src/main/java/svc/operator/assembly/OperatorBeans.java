package svc.operator.assembly;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import svc.operator.config.OperatorConfig;
import svc.operator.function.EdgeFunctionReconciler;
import svc.operator.function.FunctionServices;
import svc.operator.observe.Observer;
import svc.operator.project.ProjectReconciler;
import svc.operator.project.ProjectServices;
import svc.operator.secret.FunctionSecretReconciler;

/** The assembly as CDI beans: what is specific to a Quarkus application. */
@Dependent
public class OperatorBeans {
    /** Exit code after a fatal failure; Kubernetes restarts the container. */
    private static final int FATAL_EXIT_CODE = 1;

    @Produces
    @Singleton
    Monitoring monitoring(MeterRegistry registry) {
        return Monitoring.of(registry);
    }

    @Produces
    @Singleton
    Observer observer(Monitoring monitoring) {
        return monitoring.observer();
    }

    /** Replaces the SDK's metrics, which create time series per resource. */
    @Produces
    @Singleton
    Metrics sdkMetrics(Monitoring monitoring) {
        return monitoring.sdkMetrics();
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

    /** Replaces the extension's operator, which stops without waiting and never releases its lease. */
    @Produces
    @Singleton
    Operator operator(
            OperatorAssembly assembly,
            ProjectReconciler projects,
            EdgeFunctionReconciler functions,
            FunctionSecretReconciler secrets,
            Metrics metrics) {
        return assembly.operator(
                List.of(projects, functions, secrets), metrics, () -> Quarkus.asyncExit(FATAL_EXIT_CODE));
    }
}
