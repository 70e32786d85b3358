package svc.operator.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import svc.operator.observe.Observation.DeletionBlocked;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.observe.Observation.EventNotWritten;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.ProjectState;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observation.Removed;
import svc.operator.observe.Observation.StateObserved;

/**
 * Counts observations. Tags have few values by design: states, SQLSTATE classes, condition reasons; never a ref, a namespace
 * or a name.
 *
 * <p>{@code svc_projects{state}} counts the projects that this process has reconciled: complete after the first pass over all
 * projects, and 0 on a replica that is not the leader.
 */
public final class OperatorMetrics implements Observer {
    private final MeterRegistry registry;
    private final Timer time;
    private final Map<String, ProjectState> states = new ConcurrentHashMap<>();

    public OperatorMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.time = Timer.builder("svc.reconcile")
                .description("Duration of one completed reconciliation")
                .publishPercentileHistogram()
                .register(registry);
        for (ProjectState state : ProjectState.values()) {
            Gauge.builder("svc.projects", states, all -> count(all, state))
                    .description("Projects by their state after the last reconciliation")
                    .tag("state", tag(state))
                    .register(registry);
        }
    }

    @Override
    public void observed(Observation observation) {
        switch (observation) {
            case Reconciled(var took) -> time.record(took);
            case StateObserved(var project, var state) -> states.put(project, state);
            case Removed(var project, var act) -> {
                states.remove(project);
                registry.counter("svc.projects.removed", "act", tag(act)).increment();
            }
            case DriftRepaired(var steps) ->
                registry.counter("svc.drift.repairs").increment();
            case Failed failed -> {
                registry.counter("svc.reconcile.failures", "reason", failed.reason())
                        .increment();
                failed.sqlState()
                        .ifPresent(state -> registry.counter("svc.sql.errors", "sqlstate_class", sqlStateClass(state))
                                .increment());
            }
            case DeletionBlocked blocked ->
                registry.counter("svc.deletion.blocked", "reason", blocked.reason())
                        .increment();
            case EventNotWritten ignored -> registry.counter("svc.events.lost").increment();
            case Observation.Provisioned ignored ->
                registry.counter("svc.projects.provisioned").increment();
            case Observation.Conflicted ignored ->
                registry.counter("svc.conflicts").increment();
            case Observation.FunctionDeployed ignored ->
                registry.counter("svc.functions.deployed").increment();
            case Observation.WatchActed acted ->
                registry.counter("svc.watch.actions", "rule", acted.rule(), "step", acted.step())
                        .increment();
            case Observation.DatabasePrepared ignored ->
                registry.counter("svc.databases.prepared").increment();
        }
    }

    private static double count(Map<String, ProjectState> states, ProjectState wanted) {
        return states.values().stream().filter(wanted::equals).count();
    }

    /** The first two characters: 08 connection, 53 resources, 42 privileges and names, … */
    private static String sqlStateClass(String sqlState) {
        return sqlState.length() >= 2 ? sqlState.substring(0, 2) : "unknown";
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
