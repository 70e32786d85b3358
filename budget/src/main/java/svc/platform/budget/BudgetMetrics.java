package svc.platform.budget;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The numbers of a budget: {@code svc_budget_size}, {@code _held}, {@code _waiting}, {@code _refused} and {@code _reclaimed}. */
public final class BudgetMetrics {
    private static final String KIND = "kind";

    private BudgetMetrics() {}

    public static void register(Budget budget, MeterRegistry metrics) {
        String kind = budget.kind();
        Gauge.builder("svc.budget.size", budget, Budget::total).tag(KIND, kind).register(metrics);
        Gauge.builder("svc.budget.held", budget, Budget::held).tag(KIND, kind).register(metrics);
        Gauge.builder("svc.budget.waiting", budget, Budget::waiting)
                .tag(KIND, kind)
                .register(metrics);
        FunctionCounter.builder("svc.budget.refused", budget, Budget::refused)
                .tag(KIND, kind)
                .register(metrics);
        FunctionCounter.builder("svc.budget.reclaimed", budget, Budget::reclaimed)
                .tag(KIND, kind)
                .register(metrics);
    }
}
