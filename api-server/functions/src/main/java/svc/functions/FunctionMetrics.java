package svc.functions;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Metrics of running functions and of call outcomes; never by project or function, which would make a time series for
 * each.
 */
@ApplicationScoped
class FunctionMetrics {
    private final MeterRegistry registry;
    private final FunctionEndpoints processes;

    FunctionMetrics(MeterRegistry registry, FunctionEndpoints processes) {
        this.registry = registry;
        this.processes = processes;
    }

    void start(@Observes StartupEvent event) {
        Gauge.builder(
                        "svc.functions.running",
                        processes,
                        known -> known.running().size())
                .description("Functions with a ready process, as seen by this instance")
                .register(registry);
        Gauge.builder("svc.functions.processes", processes, FunctionEndpoints::count)
                .description("Ready processes of functions, as seen by this instance")
                .register(registry);
    }

    /** @param outcome {@code answered}, {@code caller_gone}, or the code of a {@link FunctionError} */
    void ended(String outcome) {
        registry.counter("svc.functions.calls", "outcome", outcome).increment();
    }
}
