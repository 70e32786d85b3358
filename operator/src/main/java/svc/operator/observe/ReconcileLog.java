package svc.operator.observe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import svc.operator.observe.Observation.Conflicted;
import svc.operator.observe.Observation.DatabasePrepared;
import svc.operator.observe.Observation.DeletionBlocked;
import svc.operator.observe.Observation.DriftRepaired;
import svc.operator.observe.Observation.EventNotWritten;
import svc.operator.observe.Observation.Failed;
import svc.operator.observe.Observation.FunctionDeployed;
import svc.operator.observe.Observation.Provisioned;
import svc.operator.observe.Observation.Reconciled;
import svc.operator.observe.Observation.Removed;
import svc.operator.observe.Observation.Seen;

/** Writes observations as log lines. The project stands in the log context: {@code ref}, {@code project}. */
public final class ReconcileLog implements Observer {
    private static final Logger LOG = LoggerFactory.getLogger("svc.operator");

    @Override
    public void observed(Observation observation) {
        switch (observation) {
            case Reconciled(var took) -> LOG.debug("took {} ms", took.toMillis());
            case Seen(var project, var state) -> LOG.debug("{} is {}", project, state);
            case Provisioned(var database, var steps) -> LOG.info("provisioned in {} with {} steps", database, steps);
            case DriftRepaired(var steps) -> LOG.warn("drift repaired with {} steps", steps);
            case Failed failed -> failed(failed);
            case Conflicted() -> LOG.warn("the ref or the project id is held by another Project");
            case DeletionBlocked(var reason, var message) -> LOG.warn("deletion waits: {}: {}", reason, message);
            case Removed(var project, var act) -> LOG.info("{} is gone, its data: {}", project, act);
            case EventNotWritten(var event, var message) -> LOG.info("event {} not written: {}", event, message);
            case FunctionDeployed(var version) -> LOG.info("version {} serves", version);
            case DatabasePrepared(var database, var changes) ->
                LOG.info("database {} is prepared, {} changes", database, changes);
        }
    }

    /** Puts the project into the log context until the answer is closed. */
    public static Scope scope(String namespace, String name, String ref) {
        return new Scope(MDC.putCloseable("project", namespace + "/" + name), MDC.putCloseable("ref", ref));
    }

    private static void failed(Failed failed) {
        String next = failed.retried() ? "will be tried again" : "waits for a change or the next drift check";
        if (failed.sqlState().isPresent()) {
            LOG.warn(
                    "{}: {} (SQLSTATE {}), {}",
                    failed.reason(),
                    failed.message(),
                    failed.sqlState().get(),
                    next);
        } else {
            LOG.warn("{}: {}, {}", failed.reason(), failed.message(), next, failed.cause());
        }
    }

    /** The log context of one project. */
    public record Scope(MDC.MDCCloseable project, MDC.MDCCloseable ref) implements AutoCloseable {
        @Override
        public void close() {
            ref.close();
            project.close();
        }
    }
}
