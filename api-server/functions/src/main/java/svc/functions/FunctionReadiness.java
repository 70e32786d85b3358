package svc.functions;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Not ready until functions and their processes are loaded: a pod without them would answer 404. */
@Readiness
@ApplicationScoped
class FunctionReadiness implements HealthCheck {
    private final FunctionDirectory directory;
    private final FunctionEndpoints processes;

    FunctionReadiness(FunctionDirectory directory, FunctionEndpoints processes) {
        this.directory = directory;
        this.processes = processes;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("functions")
                .status(directory.synced() && processes.synced())
                .build();
    }
}
