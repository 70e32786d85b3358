package svc.api.functions;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;

/** Counts calls by how they ended; never by project or function, which would be a time series for each. */
@ApplicationScoped
class FunctionMetrics {
    private final MeterRegistry registry;

    FunctionMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** @param outcome {@code answered}, {@code caller_gone}, or the code of a {@link FunctionError} */
    void ended(String outcome) {
        registry.counter("svc.functions.calls", "outcome", outcome).increment();
    }
}
