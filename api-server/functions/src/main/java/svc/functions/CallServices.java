package svc.functions;

import jakarta.enterprise.context.ApplicationScoped;

/** What every call needs. */
@ApplicationScoped
class CallServices {
    private final FunctionProcesses processes;
    private final Activation activation;
    private final IdleFunctions idle;
    private final Growth growth;
    private final ProcessClient client;
    private final FunctionMetrics metrics;
    private final FunctionsConfig config;

    CallServices(
            FunctionProcesses processes,
            Activation activation,
            IdleFunctions idle,
            Growth growth,
            ProcessClient client,
            FunctionMetrics metrics,
            FunctionsConfig config) {
        this.processes = processes;
        this.activation = activation;
        this.idle = idle;
        this.growth = growth;
        this.client = client;
        this.metrics = metrics;
        this.config = config;
    }

    FunctionProcesses processes() {
        return processes;
    }

    Activation activation() {
        return activation;
    }

    IdleFunctions idle() {
        return idle;
    }

    Growth growth() {
        return growth;
    }

    ProcessClient client() {
        return client;
    }

    FunctionMetrics metrics() {
        return metrics;
    }

    FunctionsConfig config() {
        return config;
    }
}
