package svc.functions;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** How many functions and processes run, and how calls ended; never by project or function, a time series for each. */
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
                .description("Functions with a process that is ready, as this instance knows them")
                .register(registry);
        Gauge.builder("svc.functions.processes", processes, FunctionEndpoints::count)
                .description("Processes of functions that are ready, as this instance knows them")
                .register(registry);
    }

    /** @param outcome {@code answered}, {@code caller_gone}, or the code of a {@link FunctionError} */
    void ended(String outcome) {
        registry.counter("svc.functions.calls", "outcome", outcome).increment();
    }
}
