package svc.functions;

import jakarta.enterprise.context.ApplicationScoped;

/** The collaborators of a call. */
@ApplicationScoped
class CallServices {
    private final FunctionEndpoints processes;
    private final Activation activation;
    private final ScaleDown scaleDown;
    private final ScaleUp scaleUp;
    private final EndpointClient client;
    private final FunctionMetrics metrics;
    private final FunctionLogIntake log;
    private final InvocationConfig config;

    CallServices(
            FunctionEndpoints processes,
            Activation activation,
            ScaleDown scaleDown,
            ScaleUp scaleUp,
            EndpointClient client,
            FunctionMetrics metrics,
            FunctionLogIntake log,
            InvocationConfig config) {
        this.processes = processes;
        this.activation = activation;
        this.scaleDown = scaleDown;
        this.scaleUp = scaleUp;
        this.client = client;
        this.metrics = metrics;
        this.log = log;
        this.config = config;
    }

    FunctionEndpoints processes() {
        return processes;
    }

    Activation activation() {
        return activation;
    }

    ScaleDown scaleDown() {
        return scaleDown;
    }

    ScaleUp scaleUp() {
        return scaleUp;
    }

    EndpointClient client() {
        return client;
    }

    FunctionMetrics metrics() {
        return metrics;
    }

    FunctionLogIntake log() {
        return log;
    }

    InvocationConfig config() {
        return config;
    }
}
