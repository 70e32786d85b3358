package svc.platform.memory;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.inject.Singleton;
import java.math.BigInteger;
import java.util.Optional;
import svc.platform.budget.Budget;
import svc.platform.budget.BudgetMetrics;
import svc.platform.config.ApiConfig;
import svc.platform.tenancy.Tenant;
import svc.platform.tenancy.TenantDirectory;

/** The budget of this process: {@code svc.api.limits.memory}, or a share of the heap. */
@Singleton
public final class MemoryBudget {
    /** Percent of the heap. A request takes other memory beside what is counted, and so do caches and projects. */
    private static final int SHARE_OF_HEAP = 30;

    private final ByteBudget budget;
    private final TenantDirectory tenants;

    MemoryBudget(ApiConfig config, TenantDirectory tenants, MeterRegistry metrics) {
        this.tenants = tenants;
        var memory = new Budget(
                "memory", bytes(config.limits().memory(), Runtime.getRuntime().maxMemory()));
        this.budget = new ByteBudget(memory);
        BudgetMetrics.register(memory, metrics);
        metrics.gauge("svc.memory.budget.bytes", budget, ByteBudget::total);
        metrics.gauge("svc.memory.held.bytes", budget, ByteBudget::held);
    }

    static long bytes(Optional<MemorySize> configured, long heap) {
        return configured
                .map(MemorySize::asBigInteger)
                .map(BigInteger::longValueExact)
                .orElse(heap / 100 * SHARE_OF_HEAP);
    }

    public ByteBudget bytes() {
        return budget;
    }

    /** The account of a project, a part of its organisation's. Projects that are gone share one. */
    public ByteBudget.Account ofProject(String ref) {
        return tenants.find(ref)
                .or(() -> tenants.suspended(ref))
                .map(Tenant::organization)
                .map(organization -> budget.ofProject(organization, ref))
                .orElseGet(() -> budget.account("projects without organization").part("project " + ref));
    }

    /** The account of an organisation, with its projects: of its calls of the control plane. */
    public ByteBudget.Account ofOrganization(String organization) {
        return budget.account("organization " + organization);
    }
}
