package svc.functions;

import jakarta.enterprise.context.ApplicationScoped;

/** What every call needs. */
@ApplicationScoped
class CallServices {
    private final FunctionEndpoints processes;
    private final Activation activation;
    private final ScaleDown idle;
    private final ScaleUp growth;
    private final EndpointClient client;
    private final FunctionMetrics metrics;
    private final InvocationConfig config;

    CallServices(
            FunctionEndpoints processes,
            Activation activation,
            ScaleDown idle,
            ScaleUp growth,
            EndpointClient client,
            FunctionMetrics metrics,
            InvocationConfig config) {
        this.processes = processes;
        this.activation = activation;
        this.idle = idle;
        this.growth = growth;
        this.client = client;
        this.metrics = metrics;
        this.config = config;
    }

    FunctionEndpoints processes() {
        return processes;
    }

    Activation activation() {
        return activation;
    }

    ScaleDown idle() {
        return idle;
    }

    ScaleUp growth() {
        return growth;
    }

    EndpointClient client() {
        return client;
    }

    FunctionMetrics metrics() {
        return metrics;
    }

    InvocationConfig config() {
        return config;
    }
}
